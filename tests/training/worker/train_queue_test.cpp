// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/runs/failed_jobs.h"
#include "core/runs/jobs.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"
#include "training/worker/turn.h"

#include <QTemporaryDir>
#include <QThread>
#include <QtTest/QtTest>

#include <csignal>
#include <unistd.h>

namespace headroom::testing::train_queue_test {

namespace fs = std::filesystem;

class TrainQueueTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void aMistypedFolderIsRefused();
    void jobsAreDoneInOrderAndDetached();
    void modelsAreEvaluatedInTheirTurn();
    void jobsThatCannotBeginArePutAside();
    void aJobOfAnArrayDoesNotWaitForTheOthersWithoutEnd();
    void aJobThatIsRemovedWhileItBeginsIsForgotten();
    void aQueueThatIsToldToEndKeepsItsJob();
    void jobsTakeTurnsWithAnExperiment();
    void onlyOneQueueServesAFolder();
    void whetherAQueueHasStartedIsSaid();

private:
    fs::path runs() const { return fs::path(m_place.path().toStdString()) / "runs"; }
    Job job(const std::string& run) const {
        m_tiny->arguments(run); // writes the recipe
        Job wanted;
        wanted.run = run;
        wanted.architecture = runs() / "architecture.json";
        wanted.recipe = runs() / "recipe.json";
        wanted.data = m_corpus->folder();
        return wanted;
    }
    bool waitUntilDone() const {
        return QTest::qWaitFor([&] { return waitingJobs(runs()).empty() && !queueIsRunning(runs()); }, 180000);
    }

    QTemporaryDir m_place;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;
};

void TrainQueueTest::initTestCase() {
    m_corpus = std::make_unique<ToneCorpus>(fs::path(m_place.path().toStdString()) / "corpus", 10, 2);
    m_tiny = std::make_unique<TinyTraining>(runs(), m_corpus->folder());
    m_tiny->recipe.length.maxUpdates = 6;
    m_tiny->recipe.validation.everyUpdates = 3;
}

void TrainQueueTest::aMistypedFolderIsRefused() {
    const fs::path none = runs() / "nosuch";
    for (const QStringList& more : {QStringList{}, QStringList{"--stay"}}) {
        const Finished ended = runWorkerProgram(QStringList{"queue", TinyTraining::text(none)} + more);
        QVERIFY(ended.status != 0);
        QVERIFY2(ended.err.find("The folder " + none.string() + " does not exist.") != std::string::npos, ended.err.c_str());
        QVERIFY(!fs::exists(none));
    }
}

void TrainQueueTest::jobsAreDoneInOrderAndDetached() {
    writeJob(queueFolder(runs()) / "0001.json", job("first"));
    Job second = job("second");
    second.seed = 5;
    second.set = {"length.maxUpdates=3"};
    writeJob(queueFolder(runs()) / "0002.json", second);
    // The command returns at once; what it started has a session of its own.
    const Finished ended = runWorkerProgram({"queue", TinyTraining::text(runs())});
    QVERIFY2(ended.status == 0, ended.err.c_str());
    pid_t session = 0; // negative where the process has ended
    QVERIFY(QTest::qWaitFor(
        [&] {
            if (fs::exists(RunPaths{runs() / "first"}.run()))
                session = ::getsid(static_cast<pid_t>(readRun(runs() / "first").process));
            return session < 0 || (session > 0 && session != ::getsid(0));
        },
        180000));
    QVERIFY(session > 0);
    QVERIFY(waitUntilDone());
    const RunInfo one = readRun(runs() / "first"), two = readRun(runs() / "second");
    QVERIFY(one.state == RunState::Finished && two.state == RunState::Finished);
    QCOMPARE(one.update, std::int64_t(6));
    QCOMPARE(two.update, std::int64_t(3));
    QCOMPARE(two.seed, std::uint64_t(5));
    QVERIFY(one.ended <= two.started);
}

/// What the run exported and its best checkpoint; what cannot be evaluated says why in its own folder.
void TrainQueueTest::modelsAreEvaluatedInTheirTurn() {
    const auto ask = [&](const char* name, const EvaluationRequest& request) {
        Job wanted;
        wanted.run = evaluationsFolder(runs()) / name;
        wanted.evaluation = request;
        writeJob(queueFolder(runs()) / (std::string("0001") + name + ".json"), wanted);
        return wanted.run;
    };
    const fs::path model = RunPaths{runs() / "first"}.model();
    const fs::path exported = ask("a", {model, "model", m_corpus->folder(), "dev", "asr", 2, "auto"}),
                   best = ask("b", {model, "best", m_corpus->folder(), "dev", "asr", 1, "auto"}),
                   bad = ask("c", {model, "model", m_corpus->folder(), "nosplit", "asr", 1, "auto"});
    EvaluationRequest option{model, "model", m_corpus->folder(), "dev", "asr", 1, "auto"};
    option.window = 0.25; // less than evaluate takes
    const fs::path refused = ask("d", option);
    runWorkerProgram({"queue", TinyTraining::text(runs()), "--stay"});
    QVERIFY(waitingJobs(runs()).empty());
    for (const fs::path& folder : {exported, best}) {
        const EvaluationInfo info = readEvaluation(folder);
        QVERIFY(info.state == EvaluationInfo::State::Finished);
        QCOMPARE(info.total, std::int64_t(2));
        QVERIFY(info.request.model == model);
        for (const char* left : {"progress.json", "lock", "model-best"})
            QVERIFY2(!fs::exists(folder / left), left);
    }
    QCOMPARE(readEvaluation(exported).request.beam, std::int64_t(2));
    QCOMPARE(readEvaluation(best).request.checkpoint, std::string("best"));
    const EvaluationInfo failed = readEvaluation(bad);
    QVERIFY(failed.state == EvaluationInfo::State::Failed);
    QVERIFY2(failed.error.find("nosplit") != std::string::npos, failed.error.c_str());
    QVERIFY(!fs::exists(failedJobs(runs()) / "0001c.json"));
    const std::string why = whyPutAside(failedJobs(runs()) / "0001d.json"); // it was the hint “Run with --help”
    QVERIFY2(why.find("--window") != std::string::npos, why.c_str());
    QVERIFY(!fs::exists(refused));
    forgetFailedJobs(runs(), refused);
}

void TrainQueueTest::jobsThatCannotBeginArePutAside() {
    Job bad = job("bad");
    bad.recipe = "nowhere.json";
    writeJob(queueFolder(runs()) / "0001.json", bad);
    std::ofstream(queueFolder(runs()) / "0002.json") << "rubbish";
    writeJob(queueFolder(runs()) / "0003.json", job("good"));
    Job again;
    again.run = "first"; // finished above
    again.resume = true;
    writeJob(queueFolder(runs()) / "0004.json", again);
    Job mute = job("mute");
    mute.architecture = runs() / "queue" / "inputs" / "mute.architecture.json";
    Architecture architecture = readArchitecture(runs() / "architecture.json");
    architecture.decoder.reset();
    architecture.vocabulary = 0;
    fs::create_directories(mute.architecture.parent_path());
    std::ofstream(mute.architecture) << canonicalText(architecture);
    writeJob(queueFolder(runs()) / "0005.json", mute);
    runWorkerProgram({"queue", TinyTraining::text(runs()), "--stay"});
    QVERIFY(waitingJobs(runs()).empty());
    QVERIFY(readRun(runs() / "good").state == RunState::Finished);
    const auto first = readStrictObject(failedJobs(runs()) / "0001.json", "test");
    QVERIFY2(first["error"].get<std::string>().find("nowhere.json") != std::string::npos,
             first.dump().c_str());
    QCOMPARE(first["run"].get<std::string>(), std::string("bad"));
    const auto fourth = readStrictObject(failedJobs(runs()) / "0004.json", "test");
    QVERIFY2(fourth["error"].get<std::string>().find("is finished") != std::string::npos,
             fourth.dump().c_str());
    const auto fifth = readStrictObject(failedJobs(runs()) / "0005.json", "test");
    QCOMPARE(fifth["error"].get<std::string>(), // not the path of its copy
             std::string("“tiny” has neither a decoder nor a CTC output, so it cannot be trained."));
    const auto second = readStrictObject(failedJobs(runs()) / "0002.json", "test");
    QVERIFY(second["error"].get<std::string>().find("0002.json is not JSON") != std::string::npos);
}

/// The queue ended and began again all the time, and the job was said to be copied to its place.
void TrainQueueTest::aJobOfAnArrayDoesNotWaitForTheOthersWithoutEnd() {
    Job again = job("started again");
    again.place = "nowhere";
    again.array = {runs() / again.run, runs() / "still put aside"};
    const fs::path file = queueFolder(runs()) / "0006.json", aside = failedJobs(runs()) / file.filename();
    writeJob(file, again);
    QProcess queue;
    queue.start(kWorker, {"queue", TinyTraining::text(runs()), "--stay"});
    const bool ended = queue.waitForFinished(60000);
    fs::remove(file);
    QVERIFY2(ended, "it goes on waiting");
    const std::string why = whyPutAside(aside);
    QVERIFY2(why.starts_with("There is no place “nowhere”"), why.c_str());
}

/// It came back as "Not started", with a sentence about the files that had gone with it.
void TrainQueueTest::aJobThatIsRemovedWhileItBeginsIsForgotten() {
    const fs::path file = queueFolder(runs()) / "0007.json", log = queueFolder(runs()) / "0007.log";
    Job unwanted = job("unwanted");
    unwanted.recipe = "nowhere.json";
    writeJob(file, unwanted);
    QProcess queue;
    queue.start(kWorker, {"queue", TinyTraining::text(runs()), "--stay"});
    for (int tries = 0; tries < 180000 && !fs::exists(log); ++tries) // it has begun, and takes longer than this to fail
        QThread::msleep(1);
    QVERIFY(fs::remove(file));
    QVERIFY(queue.waitForFinished(180000));
    QVERIFY(!fs::exists(failedJobs(runs()) / "0007.json"));
    QVERIFY(!fs::exists(runs() / "unwanted"));
}

void TrainQueueTest::aQueueThatIsToldToEndKeepsItsJob() {
    m_tiny->recipe.length.maxUpdates = 2000;
    writeJob(queueFolder(runs()) / "0001.json", job("long"));
    QProcess process;
    process.start(kWorker, {"queue", TinyTraining::text(runs()), "--stay"});
    const fs::path events = RunPaths{runs() / "long"}.events();
    QVERIFY(QTest::qWaitFor(
        [&] {
            return fs::exists(events) && readSmallFile(events, "test").find("\"step\"") != std::string::npos;
        },
        180000));
    process.terminate();
    QVERIFY(process.waitForFinished(180000));
    QVERIFY(readRun(runs() / "long").state == RunState::Stopped);
    QCOMPARE(waitingJobs(runs()).size(), std::size_t(1));
    // The next queue goes on with it.
    const std::int64_t before = readRun(runs() / "long").update;
    QVERIFY(before > 0);
    QProcess next;
    next.start(kWorker, {"queue", TinyTraining::text(runs()), "--stay"});
    QVERIFY(QTest::qWaitFor([&] { return readRun(runs() / "long").state == RunState::Running; }, 180000));
    askToStop(runs() / "long");
    QVERIFY(next.waitForFinished(180000));
    const RunInfo info = readRun(runs() / "long");
    QVERIFY(info.state == RunState::Stopped);
    QCOMPARE(info.resumed, std::int64_t(1));
    QVERIFY(info.update >= before);
    QVERIFY(waitingJobs(runs()).empty()); // stopped by somebody: done, as far as the queue goes
    m_tiny->recipe.length.maxUpdates = 6;
}

/// While a step of an experiment is done here, the queue starts nothing here.
void TrainQueueTest::jobsTakeTurnsWithAnExperiment() {
    auto turn = FileLock::tryTake(training::turnLock(runs()), "test");
    QVERIFY(turn.has_value());
    writeJob(queueFolder(runs()) / "0001.json", job("in turn"));
    QProcess process;
    process.start(kWorker, {"queue", TinyTraining::text(runs()), "--stay"});
    QByteArray said;
    const auto waits = [&] {
        said += process.readAllStandardError();
        return said.contains("0001 waits: an experiment computes on this machine.");
    };
    QVERIFY2(QTest::qWaitFor(waits, 180000), said.constData());
    QVERIFY(!fs::exists(RunPaths{runs() / "in turn"}.run()));
    turn.reset();
    bool held = false; // while the job was done
    const auto ended = [&] {
        held = held || FileLock::isLocked(training::turnLock(runs()));
        return process.state() == QProcess::NotRunning;
    };
    QVERIFY(QTest::qWaitFor(ended, 180000));
    QVERIFY(held);
    QVERIFY(readRun(runs() / "in turn").state == RunState::Finished);
    QCOMPARE(said.count("waits: "), 1);
    // One that is told to end does not go on waiting.
    turn = FileLock::tryTake(training::turnLock(runs()), "test");
    writeJob(queueFolder(runs()) / "0002.json", job("never"));
    QProcess other;
    other.start(kWorker, {"queue", TinyTraining::text(runs()), "--stay"});
    QVERIFY(QTest::qWaitFor([&] { return other.readAllStandardError().contains("0002 waits"); }, 180000));
    other.terminate();
    QVERIFY(other.waitForFinished(180000));
    QCOMPARE(waitingJobs(runs()).size(), std::size_t(1));
    fs::remove(queueFolder(runs()) / "0002.json");
}

void TrainQueueTest::onlyOneQueueServesAFolder() {
    const auto lock = FileLock::tryTake(queueLock(runs()), "test");
    QVERIFY(lock.has_value());
    QVERIFY(queueIsRunning(runs()));
    writeJob(queueFolder(runs()) / "0001.json", job("waiting"));
    const Finished ended = runWorkerProgram({"queue", TinyTraining::text(runs()), "--stay"});
    QCOMPARE(ended.status, 0);
    QVERIFY2(ended.says("Another queue is already running for"), ended.err.c_str());
    QCOMPARE(waitingJobs(runs()).size(), std::size_t(1));
}

/// It said that the queue had started, whatever was the case.
void TrainQueueTest::whetherAQueueHasStartedIsSaid() {
    const fs::path other = runs() / "other";
    const auto asked = [&] { return runWorkerProgram({"queue", TinyTraining::text(other)}).out; };
    fs::create_directories(queueFolder(other));
    QCOMPARE(asked(), "No job is waiting in " + other.string() + ".\n");
    auto lock = FileLock::tryTake(queueLock(other), "test");
    QVERIFY(lock.has_value());
    const fs::path waiting = queueFolder(other) / "0001.json";
    writeFile(waiting, "rubbish"); // put aside as soon as a queue runs
    QCOMPARE(asked(), "The queue for " + other.string() + " is already running.\n");
    QVERIFY(fs::exists(waiting));
    lock.reset(); // the one that was started may have waited for this
    QVERIFY(QTest::qWaitFor([&] { return waitingJobs(other).empty() && !queueIsRunning(other); }, 60000));
}

HEADROOM_TEST(TrainQueueTest)

} // namespace headroom::testing::train_queue_test

#include "train_queue_test.moc"
