// SPDX-License-Identifier: GPL-3.0-or-later
// Runs on a real Slurm: a time limit that is near, a node that fails, a script that is changed before it is
// sent.
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"
#include "tests/training/places/local_slurm.h"
#include "tests/training/places/mirrored_runs.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

namespace headroom::testing::slurm_faults_test {

namespace fs = std::filesystem;

class SlurmFaultsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        m_slurm = std::make_unique<LocalSlurm>();
        if (!m_slurm->skipReason().isEmpty())
            QSKIP(qPrintable(m_slurm->skipReason()));
        const fs::path places = m_slurm->folder() / "places.json";
        qputenv("HEADROOM_PLACES", QByteArray::fromStdString(places.string()));
        qputenv("HEADROOM_SQUEUE_SECONDS", "1");
        writePlaces(places, {m_slurm->place("cluster")});
        m_corpus = std::make_unique<ToneCorpus>(m_slurm->folder() / "corpus", 10, 2);
        m_tiny = std::make_unique<TinyTraining>(m_slurm->folder() / "here", m_corpus->folder());
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

private:
    /// A limit for what happens in a second or two on a machine that has nothing else to do.
    static constexpr int kPatience = 180000;
    /// More updates than any machine does during this test.
    static constexpr std::int64_t kNeverDone = 1'000'000;

    /// The job was queued again; when it may start, the run goes on where it was.
    void goesOnAfterAWait(const std::string& run, const QString& job) {
        const auto place = [&] { return readRunPlace(here(run)); };
        QVERIFY2(QTest::qWaitFor([&] { return place()->contact == RunPlace::Contact::Waiting; }, kPatience),
                 place()->sentence.c_str());
        const std::int64_t before = readRun(here(run)).update;
        LocalSlurm::ask({"scontrol", "update", "JobId=" + job, "StartTime=now"});
        QVERIFY2(QTest::qWaitFor(
                     [&] { return readRun(here(run)).resumed == 1 && readRun(here(run)).update > before; },
                     kPatience),
                 place()->sentence.c_str());
        QCOMPARE(jobOf(run), job); // the same job
    }

    void start(QProcess& watcher, const std::string& run, const char* place, std::int64_t updates) {
        m_tiny->recipe.length.maxUpdates = updates;
        watcher.start(kWorker, m_tiny->arguments(run, {"--place", place}));
    }
    fs::path here(const std::string& run) const { return m_slurm->folder() / "here" / run; }
    fs::path there(const std::string& run) const { return m_slurm->folder() / "there" / "runs" / run; }
    QString jobOf(const std::string& run) const {
        return QString::fromStdString(
            readStrictObject(there(run) / "slurm.json", "test")["job"].get<std::string>());
    }

    std::unique_ptr<LocalSlurm> m_slurm;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;
};

HEADROOM_TEST(SlurmFaultsTest)

} // namespace headroom::testing::slurm_faults_test

#include "slurm_faults_test.moc"
