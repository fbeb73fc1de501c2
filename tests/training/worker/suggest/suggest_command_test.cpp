// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/costs.h"
#include "core/architecture/edits.h"
#include "core/studies/study.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>

namespace headroom::testing::suggest_command_test {

namespace {

/// Scores and A·V over the sample, from the recordings' lengths alone.
double attentionMacs(const Architecture& architecture, const Study& study) {
    double sum = 0;
    for (const auto& utterance : study.utterances) {
        const auto samples = Samples(std::llround(utterance.seconds * kModelSampleRate.hertz()));
        sum += static_cast<double>(
            encoderCosts(architecture, architecture.frontEnd.input().frameCount(samples).value()).attentionMacs);
    }
    return sum;
}

} // namespace

class SuggestCommandTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString path(const char* name) const { return m_folder.filePath(QString::fromUtf8(name)); }
    Finished suggested(const char* limit, const QStringList& more = {}) const {
        return runWorkerProgram(QStringList{"suggest", "--model", kModel, "--data", path("sounds"), "--limit", limit,
                                            "--cache", path("cache"), "--json"} +
                                more);
    }

private Q_SLOTS:
    void initTestCase() {
        std::filesystem::create_directories(path("sounds").toStdString());
        for (int i = 0; i < 3; ++i)
            writeSound(path("sounds").toStdString() + "/r" + std::to_string(i) + ".wav", 1.2 + 0.7 * i);
    }

    void aShareOfTheAttentionIsKept() {
        const auto done = suggested("macs=0.5", {"--out", path("a.json"), "--study", path("study")});
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto document = done.document();
        const auto& front = document["front"];
        const auto chosen = document["chosen"].get<std::size_t>();
        QVERIFY(chosen > 0);
        QCOMPARE(front[0]["loss"].get<double>(), 0.0);
        QCOMPARE(front[0]["macs"].get<double>(), 1.0);
        QVERIFY(front[chosen]["macs"].get<double>() <= 0.5 && front[chosen - 1]["macs"].get<double>() > 0.5);

        const Architecture written = readArchitecture(path("a.json").toStdString());
        Architecture own = written; // the model has full attention in every layer
        for (std::size_t layer = 1; layer <= own.encoder.layers.size(); ++layer)
            own = setLayerWindow(own, static_cast<int>(layer), std::nullopt);
        const Study study = readStudy(path("study").toStdString());
        const double share = attentionMacs(written, study) / attentionMacs(own, study);
        QVERIFY(std::abs(share - front[chosen]["macs"].get<double>()) < 1e-9);

        const auto arrays = readStudyArrays(path("study").toStdString());
        const auto windows = toDoubles(arrays.at("1.window_grid").view());
        const auto diagonality = toDoubles(arrays.at("1.diagonality").view());
        const auto& point = front[chosen];
        double loss = 0;
        for (std::size_t layer = 0; layer < point["windows"].size(); ++layer) {
            if (point["windows"][layer].is_null())
                continue;
            const auto at = std::find(windows.begin(), windows.end(), point["windows"][layer].get<double>());
            QVERIFY(at != windows.end());
            loss += 1 - diagonality[layer * windows.size() + static_cast<std::size_t>(at - windows.begin())];
        }
        QVERIFY(std::abs(loss / static_cast<double>(point["windows"].size()) - point["loss"].get<double>()) < 1e-9);
    }

    void aLossIsKept() {
        const auto done = suggested("loss=0.02");
        QVERIFY2(done.status == 0, done.err.c_str());
        const auto document = done.document();
        const auto chosen = document["chosen"].get<std::size_t>();
        QVERIFY(chosen > 0 && chosen + 1 < document["front"].size());
        QVERIFY(document["front"][chosen]["loss"].get<double>() <= 0.02);
        QVERIFY(document["front"][chosen + 1]["loss"].get<double>() > 0.02);
    }

    void whatCannotBeKeptIsRefused() {
        const auto narrow = suggested("macs=0.0001");
        QCOMPARE(narrow.status, 1);
        QVERIFY2(narrow.says("Choose a larger share."), narrow.err.c_str());
        for (const char* limit : {"cost=3", "macs", "macs=2", "loss=x", "macs=0.5x"})
            QCOMPARE(suggested(limit).status, 2);
    }
};

HEADROOM_TEST(SuggestCommandTest)

} // namespace headroom::testing::suggest_command_test

#include "suggest_command_test.moc"
