// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on a real Slurm: a time limit that is near, a node that fails, a script that is changed before it is
// sent.
#include "core/runs/run_folder.h"
#include "tests/support/runner.h"
#include "tests/training/places/slurm_runs.h"

namespace headroom::testing::slurm_faults_test {

namespace fs = std::filesystem;

class SlurmFaultsTest : public QObject, SlurmRuns {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = startCluster(); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        Place odd = m_slurm->place("odd");
        odd.folder = (m_slurm->folder() / kOdd).string();
        prepare({m_slurm->place("cluster"), odd});
    }
    void cleanupTestCase() { m_slurm.reset(); }

    void aScriptIsReadAndChangedBeforeItIsSent() {
        m_tiny->recipe.length.maxUpdates = 8;
        const Finished written =
            runWorkerProgram(m_tiny->arguments("shown", {"--place", "cluster", "--script-only"}));
        const fs::path script = here("shown") / "job.sh";
        QVERIFY2(written.status == 0 &&
                     written.out.find("The script is " + script.string()) != std::string::npos,
                 (written.out + written.err).c_str());
        QCOMPARE(wholeText(script), wholeText(there("shown") / "job.sh"));
        QVERIFY(readRunPlace(here("shown"))->held && !fs::exists(there("shown") / "slurm.json"));
        const std::string text = wholeText(script);
        const auto send = [&](const std::string& changed) {
            writeFile(QString::fromStdString(script.string()), QByteArray::fromStdString(changed));
            return runWorkerProgram({"train", "--run", TinyTraining::text(here("shown")), "--resume"});
        };
        const Finished refused = send("#!/bin/bash\n#SBATCH --partition=no-such-partition\n" + text);
        QVERIFY2(refused.status == 1 && refused.says("sbatch refuses the job") &&
                     refused.says("send it again"),
                 refused.err.c_str());
        QVERIFY(readRunPlace(here("shown"))->held);
        const Finished sent = send(text.substr(0, 12) + "#SBATCH --comment=changed\n" + text.substr(12));
        QVERIFY2(sent.status == 0, sent.err.c_str());
        QVERIFY(readRun(here("shown")).state == RunState::Finished && !readRunPlace(here("shown"))->held);
        const QString job = LocalSlurm::ask({"scontrol", "show", "job", jobOf("shown")});
        QVERIFY2(job.contains("Comment=changed"), qPrintable(job));
        QCOMPARE(QString::fromStdString(firstDifference(here("shown"), there("shown"), true)), QString());
    }

    /// Slurm itself sends the signal: the limit of the running job is set to two minutes, which is when it is
    /// sent.
    void aTimeLimitIsForeseen() {
        QProcess watcher;
        start(watcher, "in time", "cluster", kNeverDone);
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here("in time")) > 3; }, kPatience));
        const QString job = jobOf("in time");
        LocalSlurm::ask({"scontrol", "update", "JobId=" + job, "TimeLimit=2"});
        goesOnAfterAWait("in time", job);
        if (QTest::currentTestFailed())
            return;
        askToStop(here("in time"));
        QVERIFY(watcher.waitForFinished(kPatience));
        QCOMPARE(QString::fromStdString(firstDifference(here("in time"), there("in time"), false)),
                 QString());
    }

    void aRunWhoseNodeFailsGoesOnFromItsLastCheckpoint() {
        QProcess watcher;
        start(watcher, "node", "cluster", kNeverDone);
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(here("node")) > 3 && readRun(here("node")).update > 0; },
                                kPatience));
        const QString job = jobOf("node");
        m_slurm->loseNode(job);
        const auto sentence = [&] { return readRunPlace(here("node"))->sentence; };
        QVERIFY2(
            QTest::qWaitFor([&] { return sentence().find("Slurm job " + job.toStdString() + " waits") == 0; },
                            kPatience),
            sentence().c_str());
        m_slurm->bringNodeBack();
        goesOnAfterAWait("node", job);
        if (QTest::currentTestFailed())
            return;
        askToStop(here("node"));
        QVERIFY(watcher.waitForFinished(kPatience));
        QVERIFY2(watcher.exitCode() == 0, watcher.readAllStandardError().constData());
        QCOMPARE(QString::fromStdString(firstDifference(here("node"), there("node"), false)), QString());
    }

    /// Spaces, quotes, a newline, letters of several scripts, and what Slurm replaces in names of files: a job array of two runs, and one job.
    void oddPathsReachTheJob() {
        const std::string run = std::string("run, ") + kOdd;
        const ToneCorpus corpus(m_slurm->folder() / (std::string("corpus, ") + kOdd), 10, 2);
        TinyTraining tiny(m_slurm->folder() / (std::string("here, ") + kOdd), corpus.folder());
        tiny.recipe.length.maxUpdates = 4;
        QProcess alone;
        alone.start(kWorker, tiny.arguments(run, {"--place", "odd"}));
        const Finished ended = runWorkerProgram(tiny.arguments(run, {"--place", "odd", "--seeds", "1-2"}));
        QVERIFY2(ended.status == 0, ended.err.c_str());
        QVERIFY(alone.waitForFinished(kPatience));
        QVERIFY2(alone.exitCode() == 0, alone.readAllStandardError().constData());
        for (const char* seed : {"", "_seed-1", "_seed-2"}) {
            const fs::path local = tiny.run(run + seed), far = m_slurm->folder() / kOdd / "runs" / local.filename();
            QVERIFY(readRun(local).state == RunState::Finished);
            QCOMPARE(readRun(local).data, corpus.folder().string());
            QCOMPARE(QString::fromStdString(firstDifference(local, far, true)), QString());
            const std::string job = readStrictObject(far / "slurm.json", "test")["job"].get<std::string>();
            QVERIFY2(wholeText(far / ("slurm-" + job + ".txt")).find("is finished at update 4") != std::string::npos, job.c_str());
        }
    }

private:
    static constexpr const char* kOdd = "it's \"odd\", $HOME `x`\nдом 日本 %j %% \\";
    /// The job was queued again; when it may start, the run goes on where it was.
    void goesOnAfterAWait(const std::string& run, const QString& job) {
        const auto place = [&] { return readRunPlace(here(run)); };
        QVERIFY2(QTest::qWaitFor([&] { return place()->contact == RunPlace::Contact::Waiting; }, kPatience),
                 place()->sentence.c_str());
        const std::int64_t before = readRun(here(run)).update;
        LocalSlurm::startSoon(job);
        QVERIFY2(QTest::qWaitFor(
                     [&] { return readRun(here(run)).resumed == 1 && readRun(here(run)).update > before; },
                     kPatience),
                 (place()->sentence + "\n" + saidByJobsOf(run)).c_str());
        QVERIFY2(jobOf(run) == job, saidByJobsOf(run).c_str()); // the same job
    }
};

HEADROOM_TEST(SlurmFaultsTest)

} // namespace headroom::testing::slurm_faults_test

#include "slurm_faults_test.moc"
