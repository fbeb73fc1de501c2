// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/evaluations.h"
#include "core/runs/events.h"
#include "core/runs/run_control.h"
#include "core/tensors/sha256.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <csignal>

namespace headroom::testing::train_resume_test {

namespace fs = std::filesystem;

class TrainResumeTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void loaderThreadsAndSecondRunsGiveTheSameBytes();
    void anotherSeedGivesOthers();
    void killedTenTimesEndsWithTheSameBytes();
    void stopSavesAndResumeEndsWithTheSameBytes();
    void theCurveGoesOnInTheMiddleOfAnInterval();
    void pausesAndEvaluationsChangeNoWeight();
    void aFullDiskLosesNothing();
    void precisionIsMeasuredOnceAndKept();
    void aDamagedCheckpointGoesBackToTheOneBefore();
    void aRunWhoseCheckpointsWereRemovedDoesNotBeginAgain();
    void anEvaluationNamesTheWeightsThatItWasMadeWith();

private:
    fs::path checkpointOf(const std::string& name) const {
        return RunPaths{m_tiny->run(name)}.checkpoints() / "step-000020.safetensors";
    }
    void verifyWhole(const std::string& name) {
        QCOMPARE(QString(toText(readRun(m_tiny->run(name)).state)), QString("finished"));
        QVERIFY(m_tiny->weights(name) == m_reference);
    }

    void verifySameCurves(const std::string& one, const std::string& other) {
        RunCurves left, right;
        for (const auto& event : EventFollower(RunPaths{m_tiny->run(one)}.events()).poll())
            left.add(event);
        for (const auto& event : EventFollower(RunPaths{m_tiny->run(other)}.events()).poll())
            right.add(event);
        for (const char* name : {"loss", "validation.loss", "validation.bleu"}) {
            const auto& points = left.series().at(name);
            const auto& expected = right.series().at(name);
            QCOMPARE(points.size(), expected.size());
            for (std::size_t i = 0; i < points.size(); ++i) {
                QCOMPARE(points[i].update, expected[i].update);
                QCOMPARE(points[i].value, expected[i].value);
            }
        }
    }

    QTemporaryDir m_place;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;
    std::string m_reference; ///< the weights of the run that nothing disturbed
};

void TrainResumeTest::initTestCase() {
    const fs::path place = m_place.path().toStdString();
    m_corpus = std::make_unique<ToneCorpus>(place / "corpus", 16, 3);
    m_tiny = std::make_unique<TinyTraining>(place, m_corpus->folder());
    const Finished ended = runWorkerProgram(m_tiny->arguments("whole"));
    QVERIFY2(ended.status == 0, ended.err.c_str());
    m_reference = m_tiny->weights("whole");

    EventFollower follower(RunPaths{m_tiny->run("whole")}.events());
    RunCurves curves;
    std::int64_t epochs = 0;
    for (const auto& event : follower.poll()) {
        curves.add(event);
        if (event["event"] == "step")
            epochs = event["epoch"];
    }
    QCOMPARE(curves.series().at("loss").size(), std::size_t(20));
    QCOMPARE(curves.series().at("validation.wer").size(), std::size_t(4));
    QVERIFY(epochs > 2); // the tests below are about epochs too
    QVERIFY(curves.series().at("loss").back().value < curves.series().at("loss").front().value);
}

void TrainResumeTest::anEvaluationNamesTheWeightsThatItWasMadeWith() {
    const fs::path model = RunPaths{m_tiny->run("whole")}.model(), out = fs::path(m_place.path().toStdString()) / "evaluation";
    const auto evaluate = [&](const QStringList& more) {
        return runWorkerProgram(QStringList{"evaluate", "--model", TinyTraining::text(model), "--data", TinyTraining::text(m_corpus->folder()),
                                            "--split", "dev", "--out", TinyTraining::text(out)} +
                                more);
    };
    QCOMPARE(evaluate({}).status, 0);
    const ModelWeights weights = readEvaluation(out).weights;
    QVERIFY(!weights.empty() && weights == weightsOfModel(model));
    QVERIFY(weights.begin()->second == sha256OfFile(RunPaths{m_tiny->run("whole")}.checkpoints() / weights.begin()->first));
    QCOMPARE(evaluate({"--checkpoint", "last"}).status, 0);
    QCOMPARE(updateOf(readEvaluation(out).weights), std::int64_t(20));
}

void TrainResumeTest::loaderThreadsAndSecondRunsGiveTheSameBytes() {
    for (const char* threads : {"1", "3"}) {
        const std::string name = std::string("loader") + threads;
        const auto arguments = m_tiny->arguments(
            name, {"--set", QString("data.loaderThreads=") + threads, "--set", "data.cacheMegabytes=0"});
        QCOMPARE(runWorkerProgram(arguments).status, 0);
        verifyWhole(name);
    }
}

void TrainResumeTest::anotherSeedGivesOthers() {
    QCOMPARE(runWorkerProgram(m_tiny->arguments("seeded", {"--seed", "2"})).status, 0);
    QVERIFY(m_tiny->weights("seeded") != m_reference);
    QCOMPARE(readRun(m_tiny->run("seeded")).seed, std::uint64_t(2));
}

void TrainResumeTest::killedTenTimesEndsWithTheSameBytes() {
    std::uint32_t state = 7;
    int kills = 0;
    for (int attempt = 0; attempt < 120 && kills < 10; ++attempt) {
        state = state * 1664525U + 1013904223U;
        // 1 to 60 ms after the run shows a sign of life.
        const Finished ended = [&] {
            QProcess process;
            process.start(kWorker, m_tiny->arguments("killed", {"--resume"}));
            process.closeWriteChannel();
            EventFollower follower(RunPaths{m_tiny->run("killed")}.events());
            follower.poll();
            while (follower.poll().empty() && !process.waitForFinished(5)) {
            }
            if (!process.waitForFinished(static_cast<int>((state >> 8) % 60) + 1))
                process.kill();
            process.waitForFinished(180000);
            Finished result;
            if (process.exitStatus() == QProcess::NormalExit)
                result.status = process.exitCode();
            result.err = process.readAllStandardError().toStdString();
            return result;
        }();
        QVERIFY2(ended.status <= 0, ended.err.c_str()); // killed, never an error
        if (const RunState now = readRun(m_tiny->run("killed")).state; now != RunState::Finished) {
            QVERIFY(ended.status == -1 && now == RunState::Interrupted);
            ++kills;
        } else if (kills >= 3) {
            break;
        } else { // it was faster than we: once more
            fs::remove_all(m_tiny->run("killed"));
            kills = 0;
        }
    }
    QVERIFY2(kills >= 3, "the runs end before they can be killed");
    qInfo("killed %d times", kills);
    if (readRun(m_tiny->run("killed")).state != RunState::Finished) {
        const Finished ended =
            runWorkerProgram({"train", "--run", TinyTraining::text(m_tiny->run("killed")), "--resume"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
    }
    verifyWhole("killed");
    QVERIFY(readSmallFile(checkpointOf("killed"), "test") == readSmallFile(checkpointOf("whole"), "test"));
    verifySameCurves("killed", "whole");
}

void TrainResumeTest::stopSavesAndResumeEndsWithTheSameBytes() {
    const fs::path folder = m_tiny->run("stopped");
    for (const bool bySignal : {true, false}) {
        QProcess process;
        process.start(kWorker, m_tiny->arguments("stopped", {"--resume"}));
        EventFollower follower(RunPaths{folder}.events());
        follower.poll();
        for (bool working = false; !working && !process.waitForFinished(2);)
            for (const auto& event : follower.poll())
                working = working || event["event"] == "step";
        if (bySignal)
            process.terminate();
        else
            askToStop(folder);
        QVERIFY(process.waitForFinished(180000));
        QCOMPARE(process.exitCode(), 0);
        const RunInfo info = readRun(folder);
        if (info.state == RunState::Finished) // it was faster than we
            break;
        QVERIFY(info.state == RunState::Stopped);
        QVERIFY(info.update > 0);
        QVERIFY(fs::exists(RunPaths{folder}.model() / "model.safetensors"));
        QVERIFY(!fs::exists(RunPaths{folder}.control()));
    }
    if (readRun(folder).state != RunState::Finished)
        QCOMPARE(runWorkerProgram({"train", "--run", TinyTraining::text(folder), "--resume"}).status, 0);
    verifyWhole("stopped");
}

void TrainResumeTest::theCurveGoesOnInTheMiddleOfAnInterval() {
    const Recipe before = m_tiny->recipe;
    m_tiny->recipe.machine.logEvery = 7; // checkpoints are due every two updates
    const Finished whole = runWorkerProgram(m_tiny->arguments("sparse"));
    QVERIFY2(whole.status == 0, whole.err.c_str());
    QProcess process;
    process.start(kWorker, m_tiny->arguments("sparse, killed", {"--resume"}));
    EventFollower follower(RunPaths{m_tiny->run("sparse, killed")}.events());
    for (bool saved = false; !saved && !process.waitForFinished(2);)
        for (const auto& event : follower.poll())
            saved = saved || event["event"] == "checkpoint";
    process.kill();
    process.waitForFinished(180000);
    const Finished resumed = runWorkerProgram(m_tiny->arguments("sparse, killed", {"--resume"}));
    m_tiny->recipe = before;
    QVERIFY2(resumed.status == 0, resumed.err.c_str());
    verifyWhole("sparse, killed");
    verifySameCurves("sparse, killed", "sparse");
}

void TrainResumeTest::pausesAndEvaluationsChangeNoWeight() {
    for (int attempt = 0; attempt < 10; ++attempt) {
        const std::string name = "paused" + std::to_string(attempt);
        const RunPaths paths{m_tiny->run(name)};
        QProcess process;
        process.start(kWorker, m_tiny->arguments(name));
        EventFollower follower(paths.events());
        std::int64_t updates = 0, validations = 0, pausedAfter = 0;
        const auto follow = [&] {
            for (const auto& event : follower.poll()) {
                if (event["event"] == "paused")
                    pausedAfter = event["update"].get<std::int64_t>();
                updates += event["event"] == "step";
                validations += event["event"] == "validation";
            }
        };
        for (; updates == 0 && !process.waitForFinished(2); follow()) {
        }
        askToPause(paths.folder);
        const auto isPaused = [&] {
            std::error_code none;
            return fs::exists(paths.log(), none) &&
                   readSmallFile(paths.log(), "test").find("Paused after update") != std::string::npos;
        };
        while (!isPaused() && !process.waitForFinished(2)) {
        }
        if (!isPaused()) // it was faster than we
            continue;
        follow();
        QVERIFY(readSmallFile(paths.log(), "test").find("Paused after update " + std::to_string(pausedAfter) + ".") != std::string::npos);
        const std::int64_t before = updates;
        QVERIFY(!process.waitForFinished(100));
        follow();
        QCOMPARE(updates, before);
        askToEvaluate(paths.folder); // in place of the pause
        QVERIFY(process.waitForFinished(180000));
        QCOMPARE(process.exitCode(), 0);
        follow();
        QCOMPARE(updates, std::int64_t(20));
        QCOMPARE(validations, std::int64_t(5)); // four by the recipe
        QVERIFY(readSmallFile(paths.log(), "test").find(", as requested.") != std::string::npos);
        QVERIFY(!fs::exists(paths.control()));
        return verifyWhole(name);
    }
    QFAIL("No run could be paused before it ended.");
}

void TrainResumeTest::aFullDiskLosesNothing() {
    // A limit on the size of files stands for the disk: events and the tokenizer (244 kB) still fit, the checkpoint (352 kB) does not.
    QStringList words{"-c", "trap '' XFSZ; ulimit -f 300; exec \"$0\" \"$@\"", kWorker};
    QProcess process;
    process.start("bash", words + m_tiny->arguments("full"));
    QVERIFY(process.waitForFinished(180000));
    QCOMPARE(process.exitCode(), 1);
    const std::string said = process.readAllStandardError().toStdString();
    QVERIFY2(said.find("could not be written: File too large") != std::string::npos, said.c_str());
    const RunInfo info = readRun(m_tiny->run("full"));
    QVERIFY(info.state == RunState::Failed);
    QVERIFY(info.error.find("could not be written") != std::string::npos);
    QVERIFY(EventFollower(RunPaths{m_tiny->run("full")}.events()).poll().size() >= 2);
    QCOMPARE(runWorkerProgram({"train", "--run", TinyTraining::text(m_tiny->run("full")), "--resume"}).status, 0);
    verifyWhole("full");
}

void TrainResumeTest::precisionIsMeasuredOnceAndKept() {
    const fs::path folder = m_tiny->run("auto");
    QCOMPARE(runWorkerProgram(m_tiny->arguments("auto", {"--set", "machine.precision=\"auto\""})).status, 0);
    RunInfo info = readRun(folder);
    const std::string chosen = info.decided.precision;
    QVERIFY(chosen == "fp32" || chosen == "bf16");
    QVERIFY(readSmallFile(RunPaths{folder}.log(), "test").find("Precision " + chosen) != std::string::npos);
    if (chosen == "fp32") // measuring leaves no trace in the weights
        QVERIFY(m_tiny->weights("auto") == m_reference);

    info.state = RunState::Stopped;
    info.decided.precision = chosen == "fp32" ? "bf16" : "fp32"; // as if it had been measured elsewhere
    writeRun(folder, info);
    QCOMPARE(runWorkerProgram({"train", "--run", TinyTraining::text(folder), "--resume"}).status, 0);
    QVERIFY(readRun(folder).decided.precision == info.decided.precision);
}

void TrainResumeTest::aDamagedCheckpointGoesBackToTheOneBefore() {
    QCOMPARE(runWorkerProgram(m_tiny->arguments("damaged", {"--set", "length.maxUpdates=20"})).status, 0);
    const fs::path folder = m_tiny->run("damaged");
    // As if it had been interrupted after update 16, whose checkpoint then was cut short.
    RunInfo info = readRun(folder);
    info.state = RunState::Running;
    writeRun(folder, info);
    const auto files = [&] {
        std::vector<fs::path> list;
        for (const auto& entry : fs::directory_iterator(RunPaths{folder}.checkpoints()))
            if (entry.path().filename().string().rfind("step-", 0) == 0)
                list.push_back(entry.path());
        std::sort(list.begin(), list.end());
        return list;
    }();
    QVERIFY(files.size() >= 2);
    fs::resize_file(files.back(), fs::file_size(files.back()) / 2);
    const Finished ended = runWorkerProgram({"train", "--run", TinyTraining::text(folder), "--resume"});
    QVERIFY2(ended.status == 0, ended.err.c_str());
    verifyWhole("damaged");
    const std::string log = readSmallFile(RunPaths{folder}.log(), "test");
    QVERIFY(log.find(files.back().filename().string()) != std::string::npos);

    info.state = RunState::Running;
    writeRun(folder, info);
    for (const fs::path& file : files)
        fs::remove(file);
    for (const auto& entry : fs::directory_iterator(RunPaths{folder}.checkpoints()))
        if (entry.path().filename().string().rfind("step-", 0) == 0)
            fs::remove(entry.path());
    const Finished none = runWorkerProgram({"train", "--run", TinyTraining::text(folder), "--resume"});
    QCOMPARE(none.status, 1);
    QVERIFY2(none.says("has no readable checkpoint"), none.err.c_str());
}

void TrainResumeTest::aRunWhoseCheckpointsWereRemovedDoesNotBeginAgain() {
    const fs::path folder = m_tiny->run("removed");
    QCOMPARE(runWorkerProgram(m_tiny->arguments("removed", {"--set", "length.maxUpdates=4"})).status, 0);
    RunInfo info = readRun(folder);
    info.state = RunState::Running;
    info.update = 0; // the machine went down before run.json had it: events.jsonl still knows
    writeRun(folder, info);
    fs::remove_all(RunPaths{folder}.checkpoints());
    const std::string model = m_tiny->weights("removed");
    const Finished ended = runWorkerProgram({"train", "--run", TinyTraining::text(folder), "--resume"});
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.says("update 4 was saved") && ended.says(RunPaths{folder}.checkpoints().string()),
             ended.err.c_str());
    QVERIFY(m_tiny->weights("removed") == model);

    // Nothing was saved yet: such a run begins again.
    const fs::path early = m_tiny->run("early");
    fs::create_directories(early);
    for (const char* name : {"architecture.json", "recipe.json"})
        fs::copy_file(folder / name, early / name);
    std::ofstream(RunPaths{early}.events()) << R"({"event":"step","update":1,"loss":3.0,"time":1})"
                                            << "\n";
    info.id = "early";
    writeRun(early, info);
    const Finished again = runWorkerProgram({"train", "--run", TinyTraining::text(early), "--resume"});
    QVERIFY2(again.status == 0, again.err.c_str());
    QVERIFY(m_tiny->weights("early") == model);
}

HEADROOM_TEST(TrainResumeTest)

} // namespace headroom::testing::train_resume_test

#include "train_resume_test.moc"
