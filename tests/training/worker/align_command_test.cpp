// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/readers.h"
#include "tests/support/runner.h"
#include "tests/support/shared_data.h"
#include "tests/training/worker/worker_program.h"
#include "training/alignment/aligner_record.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>
#include <filesystem>
#include <fstream>

namespace headroom::testing::align_command_test {

class AlignCommandTest : public QObject {
    Q_OBJECT

    QTemporaryDir m_folder;
    const std::string m_demo = std::string(HEADROOM_SOURCE_DIR) + "/resources/demo/demo.wav";

    QString path(const char* name) const { return m_folder.filePath(name); }

private Q_SLOTS:
    void initTestCase() {
        std::filesystem::copy_file(m_demo, path("demo.wav").toStdString());
        if (runWorkerProgram({"align", path("demo.wav"), "--text", "night", "--out", path("try")})
                .says("espeak-ng is not"))
            QSKIP("espeak-ng is not installed");
    }

    void textGridsSayWhoMadeThem() {
        std::ofstream(path("demo.txt").toStdString())
            << "The big man looks for the pictures in the forest at night.\n";
        const auto done = runWorkerProgram({"align", path("demo.wav"), "--out", path("out"), "--json"});
        QCOMPARE(done.status, 0);
        const auto document = done.document();
        QCOMPARE(document.at("format").get<std::string>(), std::string("headroom/forced-alignment"));
        const auto row = document.at("utterances").at(0);
        QCOMPARE(row.at("words").get<int>(), 12);
        QVERIFY(row.at("error").is_null());
        const auto alignment = readAlignment(row.at("textGrid").get<std::string>(), "demo", Seconds(10));
        QCOMPARE(alignment.origin, document.at("origin").get<std::string>());
        QVERIFY(alignment.origin.starts_with("built-in aligner, median error "));
        QVERIFY(alignment.phones.size() > 35);
    }

    void comparesWithTheAlignmentThatIsThere() {
        std::filesystem::copy_file(std::filesystem::path(m_demo).replace_extension(".TextGrid"),
                                   path("demo.TextGrid").toStdString());
        const auto done = runWorkerProgram({"align", path("demo.wav"), "--compare", "--json"});
        QCOMPARE(done.status, 0);
        const auto compared = done.document().at("compared");
        QCOMPARE(compared.at("utterances").get<int>(), 1);
        QVERIFY(compared.at("phones").at("medianMs").get<double>() <= 15);
        QVERIFY(compared.at("phones").at("n").get<int>() >= 35);
    }

    void whatIsMeasuredGoesIntoTheRecord() {
        const auto own = std::filesystem::path(path("aligner").toStdString());
        std::filesystem::copy(std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources" / "aligner", own);
        const QString aligner = QString::fromStdString(own.string());
        const auto done = runWorkerProgram({"align", path("demo.wav"), "--compare", "--aligner", aligner,
                                            "--measured", "my voice", "--reference", "me", "--real"});
        QCOMPARE(done.status, 0);
        const auto record = training::readAlignerRecord(own / "aligner.json");
        QCOMPARE(record.measured.back().set, std::string("my voice"));
        QVERIFY(record.measured.back().real);
    }

    void theShownErrorIsReproduced() {
        const auto record = training::readAlignerRecord(std::filesystem::path(HEADROOM_SOURCE_DIR) /
                                                        "resources" / "aligner" / "aligner.json");
        const auto* shown = record.shown();
        QVERIFY(shown != nullptr);
        QCOMPARE(shown->set, std::string("LibriSpeech sample"));
        const auto data = sharedData();
        if (data.empty())
            QSKIP(kNoSharedData);
        const auto done = runWorkerProgram({"align", "--data",
                                            QString::fromStdString((data / "librispeech-sample").string()),
                                            "--compare", "--json"});
        QCOMPARE(done.status, 0);
        const auto compared = done.document().at("compared");
        QCOMPARE(compared.at("utterances").get<std::int64_t>(), shown->utterances);
        const auto phones = compared.at("phones");
        // Another espeak-ng pronounces some words otherwise; another processor rounds otherwise.
        QVERIFY(std::abs(phones.at("medianMs").get<double>() - shown->phones.median) <= 2.5);
        QVERIFY(std::abs(phones.at("p90Ms").get<double>() - shown->phones.ninetieth) <= 10);
        QVERIFY(std::abs(phones.at("n").get<double>() - static_cast<double>(shown->phones.count)) <=
                0.02 * static_cast<double>(shown->phones.count));
    }

    void withoutATranscriptThereIsASentence() {
        std::filesystem::copy_file(m_demo, path("mute.wav").toStdString());
        const auto done =
            runWorkerProgram({"align", path("mute.wav"), path("demo.wav"), "--out", path("out2")});
        QCOMPARE(done.status, 1);
        QVERIFY(done.says("mute.wav has no transcript"));
        QVERIFY(std::filesystem::exists(path("out2/demo.TextGrid").toStdString())); // the other is done
    }

    void wrongUsageIsTwo() {
        QCOMPARE(runWorkerProgram({"align", path("demo.wav")}).status, 2); // neither --out nor --compare
        QCOMPARE(runWorkerProgram({"align", "--out", path("x")}).status, 2);
        QCOMPARE(
            runWorkerProgram({"align", path("demo.wav"), "a.wav", "--text", "x", "--out", path("x")}).status,
            2);
    }
};

HEADROOM_TEST(AlignCommandTest)

} // namespace headroom::testing::align_command_test

#include "align_command_test.moc"
