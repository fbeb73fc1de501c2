// SPDX-License-Identifier: GPL-3.0-or-later
// How runs at a place begin, or do not: with the real worker on both ends of a real ssh server of this machine.
#include "tests/support/runner.h"
#include "tests/training/places/trainings_there.h"

namespace headroom::testing::start_at_place_test {

namespace fs = std::filesystem;

class StartAtPlaceTest : public QObject, TrainingsThere {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void aRunThatNeverBeganCanBeStartedAgain();
    void onlyWhatTheRecipeUsesIsCopied();
    void whatCannotStartSaysWhy_data();
    void whatCannotStartSaysWhy();
};

void StartAtPlaceTest::initTestCase() {
    if (const QString reason = setUp("there"); !reason.isEmpty())
        QSKIP(qPrintable(reason));
}

void StartAtPlaceTest::cleanup() {
    QVERIFY(nothingIsLeftThere());
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
    // A corpus whose recordings are linked in, as imported ones have them.
    const ToneCorpus linked(m_ssh->folder() / "linked", 4, 2);
    fs::rename(linked.folder() / "audio", m_ssh->folder() / "recordings");
    fs::create_directory_symlink(m_ssh->folder() / "recordings", linked.folder() / "audio");
    TinyTraining imported(runs(), "/proc/self/cwd/linked");
    imported.recipe.length.maxUpdates = 4;
    imported.recipe.data.validationSplit = "train";
    const Finished brought = runWorkerProgram(imported.arguments("imported", {"--place", "loop"}));
    QVERIFY2(brought.status == 0, brought.err.c_str());
    const fs::path there = readRun(runs() / "imported").data;
    QVERIFY2(there.string().find("/data/") != std::string::npos, there.c_str());
    QVERIFY(fs::exists(there / "audio/train3.wav") && !fs::is_symlink(there / "audio"));
    QVERIFY(!fs::exists(there / "audio/dev0.wav"));
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
