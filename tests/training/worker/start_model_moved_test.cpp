// SPDX-License-Identifier: GPL-3.0-or-later
// A run whose start model is moved away while it trains ends with its model, and is resumed.
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

namespace headroom::testing::start_model_moved_test {

namespace fs = std::filesystem;

class StartModelMovedTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// It ended as “…/run/model could not be written: No such file or directory.”, and left .model.new-PID.
    void aRunNeedsItsStartModelOnlyAtTheStart() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString();
        const ToneCorpus corpus(root / "tones", 6, 2);
        TinyTraining tiny(root / "runs", corpus.folder());
        tiny.recipe.length.maxUpdates = tiny.recipe.validation.everyUpdates = 1;
        const Finished base = runWorkerProgram(tiny.arguments("base"));
        QVERIFY2(base.status == 0, base.err.c_str());
        const fs::path start = root / "start";
        fs::rename(RunPaths{tiny.run("base")}.model(), start);

        tiny.recipe.length.maxUpdates = 100000;
        tiny.recipe.validation.everyUpdates = 100000;
        const RunPaths paths{tiny.run("more")};
        QProcess process;
        process.start(kWorker, tiny.arguments("more", {"--start-from", TinyTraining::text(start)}));
        EventFollower follower(paths.events());
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto events = follower.poll();
                return std::ranges::any_of(events, [](const auto& event) { return event["event"] == "step"; });
            },
            60000));
        fs::rename(start, root / "moved");
        process.terminate();
        QVERIFY(process.waitForFinished(60000));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        QVERIFY2(readRun(paths.folder).state == RunState::Stopped, readRun(paths.folder).error.c_str());
        QVERIFY(fs::exists(paths.model() / "sentencepiece.model"));
        for (const auto& entry : fs::directory_iterator(paths.folder))
            QVERIFY2(!entry.path().filename().string().starts_with("."), entry.path().c_str());

        follower.poll(); // what the first start still wrote
        QProcess again;
        again.start(kWorker, {"train", "--run", TinyTraining::text(paths.folder), "--resume"});
        QVERIFY(QTest::qWaitFor(
            [&] {
                const auto events = follower.poll();
                return again.state() == QProcess::NotRunning || std::ranges::any_of(events, [](const auto& event) { return event["event"] == "step"; });
            },
            60000));
        again.terminate();
        QVERIFY(again.waitForFinished(60000));
        QVERIFY2(again.exitCode() == 0, again.readAllStandardError().constData());

        // A checkpoint of a run without a result is written with the run's own copies, too.
        fs::remove_all(paths.model());
        tiny.recipe.length.maxUpdates = tiny.recipe.validation.everyUpdates = 1;
        const Finished branch = runWorkerProgram(tiny.arguments("branch", {"--start-from", TinyTraining::text(paths.folder) + "@last"}));
        QVERIFY2(branch.status == 0, branch.err.c_str());
    }

    /// It had a checkpoint with its weights, stop-000000, and ended as “…/start does not exist.”
    void aRunThatWasStoppedBeforeItsFirstUpdateDoesNotNeedItAgain() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), start = root / "start";
        const ToneCorpus corpus(root / "tones", 6, 2);
        TinyTraining tiny(root / "runs", corpus.folder());
        tiny.recipe.length.maxUpdates = tiny.recipe.validation.everyUpdates = 1;
        QCOMPARE(runWorkerProgram(tiny.arguments("base")).status, 0);
        fs::rename(RunPaths{tiny.run("base")}.model(), start);
        const QStringList from{"--start-from", TinyTraining::text(start)};
        QCOMPARE(runWorkerProgram(tiny.arguments("whole", from)).status, 0);
        std::string name;
        for (int attempt = 0; attempt < 20; ++attempt) { // it may be faster than this
            name = "stopped" + std::to_string(attempt);
            QProcess process;
            process.start(kWorker, tiny.arguments(name, from));
            while (!fs::exists(RunPaths{tiny.run(name)}.tokenizer()) && !process.waitForFinished(1)) {} // all that comes before the updates
            process.terminate();
            QVERIFY(process.state() == QProcess::NotRunning || process.waitForFinished(60000));
            if (readRun(tiny.run(name)).state == RunState::Stopped)
                break;
        }
        QVERIFY(readRun(tiny.run(name)).state == RunState::Stopped);
        QCOMPARE(readRun(tiny.run(name)).update, 0);
        fs::rename(start, root / "moved");
        const Finished again = runWorkerProgram({"train", "--run", TinyTraining::text(tiny.run(name)), "--resume"});
        QVERIFY2(again.status == 0, again.err.c_str());
        QVERIFY(tiny.weights(name) == tiny.weights("whole"));
    }

    void aRunThatWasKilledBeforeItsFirstCheckpointSaysWhatItNeeds() {
        QTemporaryDir folder;
        const fs::path root = folder.path().toStdString(), start = root / "start";
        const ToneCorpus corpus(root / "tones", 6, 2);
        TinyTraining tiny(root / "runs", corpus.folder());
        tiny.recipe.length.maxUpdates = tiny.recipe.validation.everyUpdates = 1;
        QCOMPARE(runWorkerProgram(tiny.arguments("base")).status, 0);
        fs::rename(RunPaths{tiny.run("base")}.model(), start);
        tiny.recipe.length.maxUpdates = tiny.recipe.validation.everyUpdates = 100000;
        tiny.recipe.checkpoints.everyUpdates = 0;
        QProcess process;
        process.start(kWorker, tiny.arguments("killed", {"--start-from", TinyTraining::text(start)}));
        QTRY_VERIFY_WITH_TIMEOUT(fs::exists(RunPaths{tiny.run("killed")}.run()), 60000);
        process.kill();
        QVERIFY(process.waitForFinished(60000));
        fs::rename(start, root / "moved");
        const QStringList resume{"train", "--run", TinyTraining::text(tiny.run("killed")), "--resume"};
        const Finished again = runWorkerProgram(resume);
        QVERIFY2(again.status == 1 && again.says("was interrupted before its first checkpoint and has to start again from " + start.string() +
                                                 ", which does not exist. Put that model back, or start a new run."),
                 again.err.c_str());
        QVERIFY(readRun(tiny.run("killed")).state == RunState::Failed);
    }
};

HEADROOM_TEST(StartModelMovedTest)

} // namespace headroom::testing::start_model_moved_test

#include "start_model_moved_test.moc"
