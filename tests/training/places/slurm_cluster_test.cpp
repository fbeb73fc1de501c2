// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on a real Slurm of two nodes, which the test starts: sent, mirrored, preempted, queued again, resumed;
// cancelled; refused; on both nodes.
#include "core/runs/jobs.h"
#include "core/runs/run_folder.h"
#include "tests/support/runner.h"
#include "tests/training/places/slurm_runs.h"

#include <csignal>

namespace headroom::testing::slurm_cluster_test {

namespace fs = std::filesystem;

class SlurmClusterTest : public QObject, SlurmRuns {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = startCluster(); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        Place shut = m_slurm->place("shut"), unknown = m_slurm->place("unknown"),
              once = m_slurm->place("once"), pair = m_slurm->place("pair"), wide = m_slurm->place("wide");
        pair.slurm.partition = "pair";
        pair.slurm.nodes = 2;
        shut.slurm.partition = "shut";
        unknown.slurm.partition = "no-such-partition";
        once.slurm.lines = {"--no-requeue"};
        wide.slurm.partition = "wide";
        prepare({m_slurm->place("cluster"), shut, unknown, once, pair, wide});
    }
    void cleanupTestCase() { m_slurm.reset(); }

    void theTestOfThePlaceFindsTheCluster() {
        const auto ended = runWorkerProgram({"places", "test", "cluster"});
        QVERIFY2(ended.status == 0 && ended.out.find("✓ Slurm: ") != std::string::npos,
                 (ended.out + ended.err).c_str());
        const auto other = runWorkerProgram({"places", "test", "unknown"});
        QVERIFY2(other.status == 1 && other.out.find("✗ Slurm") != std::string::npos, other.out.c_str());
    }

    void aPreemptedRunIsQueuedAgainAndGoesOn() {
        QProcess watcher;
        start(watcher, "preempted", "cluster", kNeverDone);
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here("preempted")) > 3; }, kPatience));
        QVERIFY(QTest::qWaitFor([&] { return contactOf(here("preempted")) == RunPlace::Contact::Connected; }, kPatience));
        const QString first = jobOf("preempted");
        const QString higher = LocalSlurm::ask(
            {"sbatch", "--parsable", "--partition=high", "--output=/dev/null", "--wrap=sleep 1"});
        QVERIFY(higher.toInt() > first.toInt());
        // It saved itself when Slurm asked for the node, and here it is known why it waits.
        const auto stands = [&] {
            const auto place = readRunPlace(here("preempted"));
            return std::string(toText(readRun(here("preempted")).state)) + ", " + toText(place->contact) + ": " + place->sentence;
        };
        const auto waits = [&] {
            return stands().find("stopped, waiting: Slurm job") == 0 && stands().find("(BeginTime)") != std::string::npos;
        };
        QVERIFY2(QTest::qWaitFor(waits, kPatience), stands().c_str());
        const RunInfo saved = readRun(here("preempted"));
        QVERIFY(saved.update > 3);
        LocalSlurm::startSoon(first);
        QVERIFY2(QTest::qWaitFor([&] { return stepsIn(here("preempted")) > saved.update + 3; }, kPatience), stands().c_str());
        QVERIFY2(QTest::qWaitFor([&] { return stands() == "running, connected: "; }, kPatience), stands().c_str());
        QCOMPARE(jobOf("preempted"), first); // the same job
        askToStop(here("preempted"));
        QVERIFY(watcher.waitForFinished(kPatience));
        QVERIFY2(watcher.exitCode() == 0, watcher.readAllStandardError().constData());
        const RunInfo end = readRun(here("preempted"));
        QVERIFY2(end.state == RunState::Stopped, toText(end.state));
        QCOMPARE(end.resumed, std::int64_t(1));
        QCOMPARE(QString::fromStdString(firstDifference(here("preempted"), there("preempted"), false)), QString());
    }

    /// Slurm asks for the node when the run has just done its last update: it is finished, whatever its job does.
    void aRunThatIsFinishedIsNotWaitedFor() {
        QProcess watcher;
        start(watcher, "just-finished", "cluster", 8);
        QVERIFY(watcher.waitForFinished(kPatience));
        QVERIFY2(watcher.exitCode() == 0, watcher.readAllStandardError().constData());
        const fs::path run = here("just-finished");
        QVERIFY(readRun(run).state == RunState::Finished);
        // As it is in the folders when the watcher is told of the end last: its job waits again.
        const QString waiting = LocalSlurm::ask({"sbatch", "--parsable", "--hold", "--output=/dev/null", "--wrap=true"});
        writeFile(QString::fromStdString((there("just-finished") / "slurm.json").string()),
                  "{\"format\": \"headroom/slurm-job\", \"version\": 1, \"job\": \"" + waiting.toUtf8() + "\", \"submitted\": 1}");
        const Finished again = runWorkerProgram({"train", "--run", TinyTraining::text(run), "--resume"});
        QVERIFY2(again.status == 0, again.err.c_str());
        QVERIFY(contactOf(run) == RunPlace::Contact::Ended);
        LocalSlurm::ask({"scancel", waiting});
    }

    void aClusterThatQueuesNothingAgainGetsAFollowUpJob() {
        QProcess watcher;
        start(watcher, "limited", "once", kNeverDone);
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here("limited")) > 3; }, kPatience));
        const QString first = jobOf("limited");
        // What Slurm sends two minutes before the time limit.
        LocalSlurm::ask({"scancel", "--batch", "--signal=USR1", first});
        QVERIFY(QTest::qWaitFor([&] { return jobOf("limited").toInt() > first.toInt(); }, kPatience));
        QVERIFY(QTest::qWaitFor([&] { return readRun(here("limited")).resumed == 1; }, kPatience));
        const std::int64_t before = stepsIn(here("limited"));
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here("limited")) > before + 3; }, kPatience));
        askToStop(here("limited"));
        QVERIFY(watcher.waitForFinished(kPatience));
        QVERIFY2(watcher.exitCode() == 0, watcher.readAllStandardError().constData());
        QVERIFY(readRun(here("limited")).state == RunState::Stopped);
        QCOMPARE(readRun(here("limited")).resumed, std::int64_t(1));
        QCOMPARE(QString::fromStdString(firstDifference(here("limited"), there("limited"), false)), QString());
    }

    void aJobThatSomebodyCancelsIsSaidAndCanBeResumed() {
        QProcess watcher;
        start(watcher, "cancelled", "cluster", kNeverDone);
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here("cancelled")) > 3; }, kPatience));
        LocalSlurm::ask({"scancel", jobOf("cancelled")});
        QVERIFY(watcher.waitForFinished(kPatience));
        const auto place = readRunPlace(here("cancelled"));
        QVERIFY2(place->sentence.find("was cancelled. Resume continues") != std::string::npos,
                 place->sentence.c_str());
        QVERIFY(readRun(here("cancelled")).state == RunState::Stopped); // SIGTERM came first
        const std::int64_t before = stepsIn(here("cancelled"));
        QProcess again;
        again.start(kWorker, {"train", "--run", TinyTraining::text(here("cancelled")), "--resume"});
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here("cancelled")) > before + 2; }, kPatience));
        askToStop(here("cancelled"));
        QVERIFY(again.waitForFinished(kPatience));
        QCOMPARE(again.exitCode(), 0);
        QVERIFY(readRun(here("cancelled")).state == RunState::Stopped);
    }

    void seedsAreOneJobArray() {
        const auto run = [](int seed) { return "array_seed-" + std::to_string(seed); };
        const auto stateOf = [&](int seed) { return readRun(here(run(seed))).state; };
        m_tiny->recipe.length.maxUpdates = kNeverDone;
        QProcess watcher;
        watcher.start(kWorker, m_tiny->arguments("array", {"--place", "cluster", "--seeds", "1-3"}));
        QVERIFY2(QTest::qWaitFor([&] { return stepsIn(here(run(1))) > 3; }, kPatience), watcher.readAllStandardError().constData());
        const QString first = jobOf(run(1)), job = first.section('_', 0, 0);
        QCOMPARE(QStringList({first, jobOf(run(2)), jobOf(run(3))}), QStringList({job + "_0", job + "_1", job + "_2"}));
        // The node has one processor: the others wait, and one of them is taken back.
        const auto said = [&](int seed) {
            const auto place = readRunPlace(here(run(seed)));
            return place ? place->sentence : std::string();
        };
        QVERIFY2(QTest::qWaitFor([&] { return said(3).find("_2 waits") != std::string::npos; }, kPatience), said(3).c_str());
        askToStop(here(run(3)));
        QVERIFY2(QTest::qWaitFor([&] { return said(3).find("was cancelled") != std::string::npos; }, kPatience), said(3).c_str());
        // One is stopped and leaves the node to the next.
        askToStop(here(run(1)));
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here(run(2))) > 3; }, kPatience));
        QVERIFY2(QTest::qWaitFor([&] { return stateOf(1) == RunState::Stopped; }, kPatience), toText(stateOf(1)));
        askToStop(here(run(2)));
        QVERIFY(watcher.waitForFinished(kPatience));
        QCOMPARE(watcher.exitCode(), 1); // one of the three did not begin
        const QByteArray errors = watcher.readAllStandardError();
        QVERIFY2(errors.contains(("Slurm job " + job + "_2 was cancelled").toUtf8()), errors.constData());
        QVERIFY2(stateOf(2) == RunState::Stopped, toText(stateOf(2)));
        QCOMPARE(readRun(here(run(2))).seed, std::uint64_t(2));
        QCOMPARE(QString::fromStdString(firstDifference(here(run(2)), there(run(2)), false)), QString());
        // It goes on as a single run does, by a job of its own.
        const std::int64_t before = stepsIn(here(run(1)));
        QProcess resumed;
        resumed.start(kWorker, {"train", "--run", TinyTraining::text(here(run(1))), "--resume"});
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here(run(1))) > before + 2; }, kPatience));
        QVERIFY(!jobOf(run(1)).contains('_'));
        askToStop(here(run(1)));
        QVERIFY(resumed.waitForFinished(kPatience));
        QCOMPARE(resumed.exitCode(), 0);
        QCOMPARE(readRun(here(run(1))).resumed, std::int64_t(1));
        QCOMPARE(QString::fromStdString(firstDifference(here(run(1)), there(run(1)), false)), QString());
    }

    void theQueueHandsInWhatBelongsTogether() {
        m_tiny->recipe.length.maxUpdates = 10;
        m_tiny->arguments("unused"); // writes the recipe
        const fs::path runs = m_slurm->folder() / "here";
        Job job;
        job.architecture = runs / "architecture.json";
        job.recipe = runs / "recipe.json";
        job.data = m_corpus->folder();
        job.place = "cluster";
        job.array = {runs / "together-1", runs / "together-2"};
        for (std::uint64_t seed : {1U, 2U}) {
            job.run = job.array[seed - 1];
            job.seed = seed;
            writeJob(nextJobFile(runs, job.run), job);
        }
        const Finished ended = runWorkerProgram({"queue", TinyTraining::text(runs), "--stay"});
        QVERIFY2(ended.status == 0 && waitingJobs(runs).empty(), ended.err.c_str());
        for (const char* run : {"together-1", "together-2"})
            QVERIFY2(readRun(here(run)).state == RunState::Finished, run);
        const QString array = jobOf("together-1").section('_', 0, 0);
        QCOMPARE(QStringList({jobOf("together-1"), jobOf("together-2")}), QStringList({array + "_0", array + "_1"}));
    }

    void aJobThatTheUserTakesBackLeavesNothing() {
        m_tiny->recipe.length.maxUpdates = 10;
        m_tiny->arguments("unused"); // writes the recipe
        const fs::path runs = m_slurm->folder() / "here";
        Job job;
        job.run = runs / "not wanted";
        job.architecture = runs / "architecture.json";
        job.recipe = runs / "recipe.json";
        job.data = m_corpus->folder();
        job.place = "shut";
        writeJob(nextJobFile(runs, job.run), job);
        QProcess queue;
        queue.start(kWorker, {"queue", TinyTraining::text(runs), "--stay"});
        const auto waits = [&] {
            const auto place = readRunPlace(job.run);
            return place && place->sentence.find("the partition is closed") != std::string::npos;
        };
        QVERIFY(QTest::qWaitFor(waits, kPatience));
        askToStop(job.run);
        QVERIFY(queue.waitForFinished(kPatience));
        QVERIFY(waitingJobs(runs).empty());
        QVERIFY(!fs::exists(failedJobs(runs)) || fs::is_empty(failedJobs(runs)));
        QCOMPARE(LocalSlurm::ask({"squeue", "--noheader", "--partition=shut"}), QString());
    }

    void anArrayThatSbatchRefusesIsSaidOnce() {
        m_tiny->recipe.length.maxUpdates = 10;
        const Finished ended = runWorkerProgram(m_tiny->arguments("none", {"--place", "unknown", "--seeds", "4,5"}));
        QVERIFY2(ended.status == 1 && ended.says("sbatch refuses the job") && ended.says("partition"), ended.err.c_str());
        QCOMPARE(ended.err.find("sbatch refuses"), ended.err.rfind("sbatch refuses"));
        for (const char* run : {"none_seed-4", "none_seed-5"})
            QVERIFY(!fs::exists(RunPaths{here(run)}.run()));
        const Finished word =
            runWorkerProgram(m_tiny->arguments("none", {"--place", "cluster", "--seeds", "4,five"}));
        QVERIFY2(word.status == 1 && word.says("“five” is not a seed."), word.err.c_str());
    }

    void twoNodesTrainOneRun() {
        QProcess watcher;
        start(watcher, "pair", "pair", kNeverDone);
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here("pair")) > 3; }, kPatience));
        QVERIFY2(wholeText(RunPaths{here("pair")}.log()).find("2 ranks train this run.") != std::string::npos,
                 wholeText(RunPaths{here("pair")}.log()).c_str());
        QCOMPARE(LocalSlurm::ask({"squeue", "--noheader", "--partition=pair", "--format=%D"}), QString("2"));
        askToStop(here("pair"));
        QVERIFY(watcher.waitForFinished(kPatience));
        const RunInfo saved = readRun(here("pair"));
        QVERIFY2(saved.state == RunState::Stopped, toText(saved.state));
        // It goes on on both, and a cancelled job saves itself on both.
        QProcess again;
        again.start(kWorker, {"train", "--run", TinyTraining::text(here("pair")), "--resume"});
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here("pair")) > saved.update + 2; }, kPatience));
        LocalSlurm::ask({"scancel", jobOf("pair")});
        QVERIFY(again.waitForFinished(kPatience));
        QVERIFY2(readRun(here("pair")).state == RunState::Stopped, toText(readRun(here("pair")).state));
        QCOMPARE(QString::fromStdString(firstDifference(here("pair"), there("pair"), false)), QString());
    }

    /// A rank for each GPU is started as these are.
    void severalRanksOfANodeTrainOneRun() {
        m_tiny->recipe.length.maxUpdates = 8;
        const Finished ended =
            runWorkerProgram(m_tiny->arguments("ranks", {"--place", "wide", "--device", "cpu", "--ranks", "2"}));
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const std::string log = wholeText(RunPaths{here("ranks")}.log());
        QVERIFY2(log.find("2 ranks train this run.") != std::string::npos, log.c_str());
        QVERIFY(readRun(here("ranks")).state == RunState::Finished);
        QCOMPARE(readRun(here("ranks")).decided.device, std::string("cpu"));
        QCOMPARE(readRunPlace(here("ranks"))->ranks, 2);
        const std::string script = wholeText(here("ranks") / "job.sh");
        QVERIFY2(script.find("\n#SBATCH --ntasks-per-node=2\n") != std::string::npos, script.c_str());
    }

    /// A job that asks for a GPU is not computed on a processor: it says what is missing.
    void aJobWithGpusIsNotComputedOnAProcessor() {
        const Finished ended = runWorkerProgram(m_tiny->arguments("no-gpu", {"--place", "cluster", "--device", "cuda"}));
        if (!computesOnCpuAlone())
            QSKIP("This machine has a GPU.");
        QVERIFY2(ended.status == 1, ended.err.c_str());
        QVERIFY(!fs::exists(RunPaths{here("no-gpu")}.run()));
        const std::string said = saidByJobsOf("no-gpu");
        QVERIFY2(said.find("There is no device cuda:0.") != std::string::npos, said.c_str());
    }

    void anEvaluationIsAJob() {
        const QString out = TinyTraining::text(here("evaluated"));
        const QStringList words{"evaluate", "--model", kModel, "--data", TinyTraining::text(m_corpus->folder()), "--split", "dev",
                                "--max-tokens", "5", "--out", out, "--place"};
        const Finished ended = runWorkerProgram(words + QStringList{"cluster"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        QVERIFY(fs::exists(here("evaluated") / "evaluation.json"));
        QVERIFY(fs::is_empty(m_slurm->folder() / "there/work"));
        // A job that waits is taken back by Ctrl-C.
        QProcess closed;
        closed.start(kWorker, words + QStringList{"shut"});
        const auto said = [&] {
            const auto place = readRunPlace(here("evaluated"));
            return place ? place->sentence : std::string();
        };
        QVERIFY2(QTest::qWaitFor([&] { return said().find("the partition is closed") != std::string::npos; }, kPatience), said().c_str());
        ::kill(static_cast<pid_t>(closed.processId()), SIGINT);
        QVERIFY(closed.waitForFinished(kPatience));
        QCOMPARE(LocalSlurm::ask({"squeue", "--noheader", "--partition=shut"}), QString());
        QVERIFY2(closed.exitCode() == 130 && said().find("was cancelled") != std::string::npos, said().c_str());
    }

    void whatSbatchRefusesIsSaidInItsOwnWords() {
        const Finished ended = runWorkerProgram(m_tiny->arguments("refused", {"--place", "unknown"}));
        QVERIFY2(ended.status == 1 && ended.says("sbatch refuses the job") && ended.says("partition"),
                 ended.err.c_str());
        QVERIFY(!fs::exists(RunPaths{here("refused")}.run()));
    }

    void aClosedPartitionIsSaidAndTheJobCanBeTakenBack() {
        QProcess watcher;
        start(watcher, "closed", "shut", 20);
        const auto said = [&] {
            const auto place = readRunPlace(here("closed"));
            return place ? place->sentence : std::string();
        };
        QVERIFY2(QTest::qWaitFor([&] { return said().find("the partition is closed") != std::string::npos; },
                                 kPatience),
                 said().c_str());
        askToStop(here("closed"));
        QVERIFY(watcher.waitForFinished(kPatience));
        QCOMPARE(LocalSlurm::ask({"squeue", "--noheader", "--partition=shut"}), QString());
    }

private:
    static bool computesOnCpuAlone() { return runWorkerProgram({"devices"}).out.find("cuda:") == std::string::npos; }
};

HEADROOM_TEST(SlurmClusterTest)

} // namespace headroom::testing::slurm_cluster_test

#include "slurm_cluster_test.moc"
