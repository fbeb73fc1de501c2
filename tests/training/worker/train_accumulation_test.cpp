// SPDX-License-Identifier: GPL-3.0-or-later
// An update over several batches is that of one batch that has all their recordings.
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"
#include "tests/training/worker/weights_apart.h"

#include <QTemporaryDir>
#include <QtTest>

namespace headroom::testing::train_accumulation_test {

namespace fs = std::filesystem;

class TrainAccumulationTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Five recordings: one batch, or one of three and one of two, which have other numbers of frames and of tokens.
    void unequalBatchesAddUpToOne() {
        const fs::path place = m_place.path().toStdString();
        const ToneCorpus corpus(place / "corpus", 5, 2);
        TinyTraining tiny(place, corpus.folder());
        withoutDropout(place / "architecture.json"); // it is drawn for a batch
        tiny.recipe.data.maxFrames = tiny.recipe.data.maxBatchFrames = 3000;
        const auto trained = [&](const char* name, std::int64_t utterances, std::int64_t accumulate) {
            tiny.recipe.data.maxBatchUtterances = utterances;
            tiny.recipe.optimiser.accumulate = accumulate;
            const Finished ended = runWorkerProgram(tiny.arguments(name));
            QVERIFY2(ended.status == 0, ended.err.c_str());
            QCOMPARE(readRun(tiny.run(name)).update, std::int64_t(20));
        };
        const auto apart = [&](const char* left, const char* right) {
            return weightsApart(RunPaths{tiny.run(left)}.model() / "model.safetensors",
                                RunPaths{tiny.run(right)}.model() / "model.safetensors");
        };
        trained("together", 0, 1);
        trained("added", 3, 2);
        trained("each", 3, 1); // an update for each batch: the test is able to fail
        QCOMPARE(epochsOfUpdates(tiny.run("added")), epochsOfUpdates(tiny.run("together")));
        const double difference = apart("together", "added");
        qInfo("%.1e", difference);
        QVERIFY2(difference < 1e-6, qPrintable(QString::number(difference)));
        QVERIFY(apart("together", "each") > 1e-3);
    }

private:
    static void withoutDropout(const fs::path& architecture) {
        std::string text = readSmallFile(architecture, "test");
        for (const std::string key : {"\"dropout\": 0.1", "\"attentionDropout\": 0.1"})
            text.replace(text.find(key), key.size(), key.substr(0, key.size() - 3) + "0");
        std::ofstream(architecture) << text;
    }

    /// Of every logged update: with all five recordings in each, an epoch has one.
    static std::vector<std::int64_t> epochsOfUpdates(const fs::path& run) {
        EventFollower follower(RunPaths{run}.events());
        std::vector<std::int64_t> frames;
        for (const auto& event : follower.poll())
            if (event["event"] == "step" && event.contains("epoch"))
                frames.push_back(event["epoch"].get<std::int64_t>());
        return frames;
    }

    QTemporaryDir m_place;
};

HEADROOM_TEST(TrainAccumulationTest)

} // namespace headroom::testing::train_accumulation_test

#include "train_accumulation_test.moc"
