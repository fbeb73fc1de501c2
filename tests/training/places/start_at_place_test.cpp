// SPDX-License-Identifier: GPL-3.0-or-later
// How runs at a place begin, or do not: with the real worker on both ends of a real ssh server of this machine.
#include "core/places/run_place.h"
#include "core/runs/jobs.h"
#include "tests/support/runner.h"
#include "tests/training/places/loopback_ssh.h"
#include "tests/training/places/mirrored_runs.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

namespace headroom::testing::start_at_place_test {

namespace fs = std::filesystem;

class StartAtPlaceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void aRunThatNeverBeganCanBeStartedAgain();
    void onlyWhatTheRecipeUsesIsCopied();
    void whatCannotStartSaysWhy_data();
    void whatCannotStartSaysWhy();

private:
    /// A limit for what happens in a second or two on a machine that has nothing else to do.
    static constexpr int kPatience = 120000;
    fs::path runs() const { return m_ssh->folder() / "here"; }
    fs::path there(const std::string& run) const { return m_ssh->folder() / "there" / "runs" / run; }
    QStringList train(const std::string& run, std::int64_t updates) {
        m_tiny->recipe.length.maxUpdates = updates;
        return m_tiny->arguments(run, {"--place", "loop"});
    }
    void compareFolders(const std::string& run, bool finished) const {
        QCOMPARE(QString::fromStdString(firstDifference(runs() / run, there(run), finished)), QString());
    }
    RunPlace::Contact contact(const std::string& run) const { return contactOf(runs() / run); }

    std::unique_ptr<LoopbackSsh> m_ssh;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;
};

void StartAtPlaceTest::initTestCase() {
    m_ssh = std::make_unique<LoopbackSsh>();
    if (const QString reason = m_ssh->skipReason(LoopbackSsh::Needs::Rsync); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    m_corpus = std::make_unique<ToneCorpus>(m_ssh->folder() / "corpus", 10, 2);
    // In another process, this path names another folder, as on another machine.
    QDir::setCurrent(m_ssh->file("."));
    m_tiny = std::make_unique<TinyTraining>(runs(), "/proc/self/cwd/corpus");
    writePlaces(m_ssh->file("places.json").toStdString(), {m_ssh->place("there")});
}

void StartAtPlaceTest::cleanup() {
    // No process is left there.
    QVERIFY(QTest::qWaitFor([&] { return !queueIsRunning(there("x").parent_path()); }, kPatience));
}

/// Whoever took it back, or whatever kept it from beginning: it is not stuck between “already exists” and “does not exist”.
void StartAtPlaceTest::aRunThatNeverBeganCanBeStartedAgain() {
    const fs::path here = runs() / "unlucky", queue = there("unlucky").parent_path();
    fs::create_directories(queueFolder(queue));
    auto held = FileLock::tryTake(queueLock(queue), "test"); // no job begins there
    QVERIFY(held.has_value());
    const auto waits = [&](const char* run) {
        return QTest::qWaitFor([&] { return contact(run) == RunPlace::Contact::Waiting; }, kPatience);
    };
    const auto neverBegan = [&](QProcess& process, const char* says) {
        QVERIFY(process.waitForFinished(kPatience));
        const QByteArray errors = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 1 && errors.contains(says), errors.constData());
        const auto place = readRunPlace(here);
        QVERIFY(place->contact == RunPlace::Contact::Ended && !place->begun);
        QVERIFY(!fs::exists(RunPaths{here}.run()));
    };
    QProcess process;
    process.start(kWorker, train("unlucky", 8));
    QVERIFY(waits("unlucky"));
    QVERIFY(readRunPlace(here)->begun);
    fs::remove(jobOfRun(queue, there("unlucky")).value()); // somebody takes it back there
    neverBegan(process, "Start it again with the command that started it.");
    if (QTest::currentTestFailed())
        return;
    // Nothing of it is there to go on with: that is said, too.
    process.start(kWorker, {"train", "--run", TinyTraining::text(here), "--resume"});
    neverBegan(process, "Start it again with the command that started it.");
    if (QTest::currentTestFailed())
        return;
    // The same command starts it again. Now its recipe there is damaged, and its job is put aside.
    process.start(kWorker, train("unlucky", 8));
    QVERIFY(waits("unlucky"));
    const QString recipe = TinyTraining::text(jobInputs(queue) / "unlucky.recipe.json");
    const QByteArray whole = QByteArray::fromStdString(wholeText(recipe.toStdString()));
    writeFile(recipe, "rubbish");
    held.reset();
    neverBegan(process, "unlucky.recipe.json");
    if (QTest::currentTestFailed())
        return;
    writeFile(recipe, whole);
    const Finished resumed = runWorkerProgram({"train", "--run", TinyTraining::text(here), "--resume"});
    QVERIFY2(resumed.status == 0, resumed.err.c_str());
    QVERIFY(readRun(here).state == RunState::Finished);
    compareFolders("unlucky", true);
    // A queue that ended while its run waited there finds it again.
    QVERIFY(QTest::qWaitFor([&] { return !queueIsRunning(queue); }, kPatience));
    held = FileLock::tryTake(queueLock(queue), "test");
    QVERIFY(held.has_value());
    Job job;
    job.run = "kept";
    job.architecture = runs() / "architecture.json";
    job.recipe = runs() / "recipe.json";
    job.data = m_corpus->folder();
    job.place = "loop";
    const fs::path file = nextJobFile(runs(), runs() / "kept");
    writeJob(file, job);
    const QStringList serve{"queue", TinyTraining::text(runs()), "--stay"};
    process.start(kWorker, serve);
    QVERIFY(waits("kept"));
    process.kill();
    QVERIFY(process.waitForFinished(kPatience));
    held.reset();
    const Finished served = runWorkerProgram(serve);
    QVERIFY2(served.status == 0, served.err.c_str());
    QVERIFY2(!fs::exists(failedJobs(runs()) / file.filename()), wholeText(failedJobs(runs()) / file.filename()).c_str());
    QVERIFY(readRun(runs() / "kept").state == RunState::Finished);
}

void StartAtPlaceTest::onlyWhatTheRecipeUsesIsCopied() {
    const ToneCorpus corpus(m_ssh->folder() / "three [splits]", 4, 2);
    fs::create_symlink("train0.wav", corpus.folder() / "audio" / "link, # and \n newline.wav");
    TinyTraining tiny(runs(), "/proc/self/cwd/three [splits]");
    tiny.recipe.length.maxUpdates = 4;
    tiny.recipe.data.validationSplit = "train";
    const Finished ended = runWorkerProgram(tiny.arguments("part", {"--place", "loop"}));
    QVERIFY2(ended.status == 0, ended.err.c_str());
    const fs::path copy = readRun(runs() / "part").data;
    QVERIFY2(copy.string().find("/data/") != std::string::npos, copy.c_str());
    for (const char* used : {"corpus.json", "train_asr.tsv", "dev_asr.tsv", "audio/train0.wav", "audio/train3.wav",
                             "audio/link, # and \n newline.wav"})
        QVERIFY2(fs::exists(copy / used), used);
    for (const char* spare : {"audio/dev0.wav", "audio/dev1.wav"})
        QVERIFY2(!fs::exists(copy / spare), spare);
    const std::string log = wholeText(RunPaths{runs() / "part"}.log());
    QVERIFY2(log.find("dev0") == std::string::npos, log.c_str());
    QVERIFY2(runWorkerProgram(tiny.arguments("part here")).status == 0, "here");
    QVERIFY(tiny.weights("part") == tiny.weights("part here"));
    // Another recipe brings what is missing.
    tiny.recipe.data.validationSplit = "dev";
    const Finished whole = runWorkerProgram(tiny.arguments("whole", {"--place", "loop"}));
    QVERIFY2(whole.status == 0, whole.err.c_str());
    QCOMPARE(readRun(runs() / "whole").data, copy.string());
    QVERIFY(fs::exists(copy / "audio/dev1.wav"));
}

void StartAtPlaceTest::whatCannotStartSaysWhy_data() {
    QTest::addColumn<QStringList>("more");
    QTest::addColumn<QString>("says");
    QTest::newRow("no such place") << QStringList{"--place", "gpu-9"} << "There is no place “gpu-9”.";
    QTest::newRow("a recipe that cannot be")
        << QStringList{"--place", "loop", "--set", "length.maxUpdates=-3"} << "length.maxUpdates";
    QTest::newRow("data that cannot be trained on")
        << QStringList{"--place", "loop", "--set", "task=\"nothing\""} << "nothing";
}

void StartAtPlaceTest::whatCannotStartSaysWhy() {
    QFETCH(QStringList, more);
    QFETCH(QString, says);
    const Finished ended = runWorkerProgram(m_tiny->arguments("bad", more));
    QCOMPARE(ended.status, 1);
    QVERIFY2(ended.says(says.toStdString()), ended.err.c_str());
    QVERIFY(!fs::exists(RunPaths{runs() / "bad"}.run()));
    fs::remove_all(runs() / "bad");
}

HEADROOM_TEST(StartAtPlaceTest)

} // namespace headroom::testing::start_at_place_test

#include "start_at_place_test.moc"
