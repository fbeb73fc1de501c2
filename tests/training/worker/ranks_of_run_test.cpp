// SPDX-License-Identifier: GPL-3.0-or-later
// With how many ranks a run goes on that is resumed without saying it, and what is recorded of it.
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"
#include "training/worker/commands.h"
#include "training/worker/train_ranks.h"

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::ranks_of_run_test {

namespace fs = std::filesystem;

class RanksOfRunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Every rank has a GPU of that generation, and every rank would say so.
    void aTranslationIsSaidByOneRank() {
        training::ComputeDevice gpu;
        gpu.id = "cuda:0";
        gpu.name = "New";
        gpu.capability = 120;
        const std::string note = training::translationNote(gpu);
        QVERIFY(!note.empty());
        QCOMPARE(training::translationNoteAt({}, gpu), note);
        QCOMPARE(training::translationNoteAt(training::RankPlace{0, 2, "127.0.0.1", 0}, gpu), note);
        QCOMPARE(training::translationNoteAt(training::RankPlace{1, 2, "127.0.0.1", 0}, gpu), std::string());
    }

    void aRunGoesOnWithAsManyRanksAsItHad_data() {
        QTest::addColumn<QString>("device"); // of the run
        QTest::addColumn<int>("had");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("ranks"); // 0: as train itself takes
        QTest::newRow("all GPUs") << "cuda:0" << 4 << 4 << 4;
        QTest::newRow("fewer GPUs are left") << "cuda:0" << 4 << 2 << 2;
        QTest::newRow("one GPU is left") << "cuda:0" << 4 << 1 << 0;
        QTest::newRow("processors") << "cpu" << 3 << 0 << 3;
        QTest::newRow("one process") << "cuda:0" << 1 << 4 << 0;
    }
    void aRunGoesOnWithAsManyRanksAsItHad() {
        QFETCH(QString, device);
        QFETCH(int, had);
        QFETCH(int, gpus);
        QFETCH(int, ranks);
        const QTemporaryDir folder;
        TrainOptions options;
        options.run = fs::path(folder.path().toStdString()) / "run";
        options.resume = true;
        fs::create_directories(options.run);
        RunInfo info;
        info.state = RunState::Stopped;
        info.decided.device = device.toStdString();
        info.decided.ranks = had;
        writeRun(options.run, info);
        QCOMPARE(readRun(options.run).decided.ranks, std::int64_t(had));
        int asked = 0;
        const auto resumed = [&](auto change) {
            TrainOptions wanted = options;
            change(wanted);
            asked = training::takeRanksOfRun(wanted, [gpus] { return machineWith(gpus); });
            return wanted.ranks;
        };
        QCOMPARE(resumed([](TrainOptions&) {}), ranks);
        const bool fewer = had > 1 && device != "cpu" && gpus < had;
        QCOMPARE(asked, fewer ? had : 0);
        QCOMPARE(resumed([](TrainOptions& wanted) { wanted.device = "all"; }), 0); // takeAllGpus() counts them
        QCOMPARE(asked, fewer ? had : 0);
        QCOMPARE(resumed([](TrainOptions& wanted) { wanted.ranks = 1; }), 1);            // it was named
        QCOMPARE(resumed([](TrainOptions& wanted) { wanted.device = "cuda:1"; }), 0);    // likewise
        QCOMPARE(resumed([](TrainOptions& wanted) { wanted.resume = false; }), 0);       // a new run
        QCOMPARE(resumed([](TrainOptions& wanted) { wanted.run = "/nowhere"; }), 0);     // none yet
    }

    void fewerGpusNowDoNotChangeTheNumberAskedFor() {
        const QTemporaryDir folder;
        TrainOptions options;
        options.run = fs::path(folder.path().toStdString()) / "run";
        options.resume = true;
        fs::create_directories(options.run);
        RunInfo info;
        info.state = RunState::Stopped;
        info.decided.device = "cuda:0";
        info.decided.ranks = 4;
        // Resumed on 2 GPUs, on 1, on 4, and with 2 ranks because the user says so.
        QCOMPARE(training::decideRanks(info, 2, ranksOn(options, info, 2).second),
                 std::string("This run was asked for on 4 GPUs, but only 2 are usable here now. 2 ranks continue it. Resume it where 4 "
                             "GPUs are usable to train on all of them again."));
        QCOMPARE(info.decided.ranks, std::int64_t(2));
        QCOMPARE(ranksOn(options, info, 1), std::pair(0, 4));
        QVERIFY(training::decideRanks(info, 1, 4).find("only 1 is usable here now. 1 rank continues it.") != std::string::npos);
        QCOMPARE(ranksOn(options, info, 4), std::pair(4, 0));
        QCOMPARE(ranksOn(options, info, 8), std::pair(4, 0));
        QCOMPARE(training::decideRanks(info, 4, 0), std::string());
        QCOMPARE(info.decided.wantedRanks, std::int64_t(0));
        info.decided.ranks = 2;
        info.decided.wantedRanks = 4;
        TrainOptions named = options;
        named.ranks = 2;
        QCOMPARE(ranksOn(named, info, 2), std::pair(2, 0));
    }

    void trainingRecordsAndLogsWhatWasAskedFor() {
        const QTemporaryDir folder;
        const fs::path place = folder.path().toStdString();
        const ToneCorpus corpus(place / "corpus", 8, 3);
        TinyTraining tiny(place, corpus.folder());
        tiny.recipe.length.maxUpdates = 1;
        tiny.arguments("run"); // writes the recipe
        TrainOptions options;
        options.architecture = place / "architecture.json";
        options.recipe = place / "recipe.json";
        options.data = corpus.folder();
        options.run = place / "run";
        training::Console console(true);
        training::trainModel(options, "cpu", 4, console);
        const RunInfo info = readRun(options.run);
        QVERIFY(info.state == RunState::Finished);
        QCOMPARE(info.decided.ranks, std::int64_t(1));
        QCOMPARE(info.decided.wantedRanks, std::int64_t(4));
        const std::string log = readSmallFile(RunPaths{options.run}.log(), "test");
        QVERIFY2(log.find("This run was asked for on 4 GPUs, but only 1 is usable here now.") != std::string::npos, log.c_str());
    }

    static training::ComputeDevices machineWith(int gpus) {
        training::ComputeDevices there;
        there.list.push_back({"cpu", "a processor", 0, -1, {}, {}});
        for (int i = 0; i < gpus; ++i)
            there.list.push_back({"cuda:" + std::to_string(i), "a GPU", 0, -1, {}, {}});
        return there;
    }

private:
    /// The ranks that a resume takes where there are `gpus`, and the number that is remembered.
    static std::pair<int, int> ranksOn(TrainOptions options, const RunInfo& info, int gpus) {
        writeRun(options.run, info);
        const int asked = training::takeRanksOfRun(options, [gpus] { return machineWith(gpus); });
        return {options.ranks, asked};
    }
};

HEADROOM_TEST(RanksOfRunTest)

} // namespace headroom::testing::ranks_of_run_test

#include "ranks_of_run_test.moc"
