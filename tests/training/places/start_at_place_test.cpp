// SPDX-License-Identifier: GPL-3.0-or-later
// How runs at a place begin, or do not: with the real worker on both ends of a real ssh server of this machine.
#include "tests/support/runner.h"
#include "tests/training/places/small_disk.h"
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
    void aWorkerThatCannotBeUsedIsSaid_data();
    void aWorkerThatCannotBeUsedIsSaid();
    void aWorkerThatCannotStartIsSaidWhereverItStarts_data();
    void aWorkerThatCannotStartIsSaidWhereverItStarts();
    void aHostKeyIsNeverAcceptedSilently_data();
    void aHostKeyIsNeverAcceptedSilently();
    void aLoginShellThatPrintsTextIsSaid();
    void aFullDiskIsSaidAndTheRunBeginsWhenThereIsRoom();
    void aFolderThatCannotBeWrittenIsSaid();

private:
    /// The run was not begun, and the command that was refused begins it.
    void beginsNow(const char* run) {
        QVERIFY(!fs::exists(RunPaths{runs() / run}.run()));
        const auto place = readRunPlace(runs() / run);
        QVERIFY(!place || !place->begun);
        const Finished ended = runWorkerProgram(train(run, 4));
        QVERIFY2(ended.status == 0, ended.err.c_str());
        QVERIFY(readRun(runs() / run).state == RunState::Finished);
    }
    void usePlace(const Place& place) { writePlaces(m_ssh->file("places.json").toStdString(), {place}); }
};

void StartAtPlaceTest::initTestCase() {
    if (const QString reason = setUp("there"); !reason.isEmpty())
        QSKIP(qPrintable(reason));
}

void StartAtPlaceTest::cleanup() {
    QVERIFY(isReadyForTheNext());
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
    // One that the place gives back leaves no copies, there or here.
    QVERIFY(QTest::qWaitFor([&] { return !queueIsRunning(queue); }, kPatience));
    held = FileLock::tryTake(queueLock(queue), "test");
    QVERIFY(held.has_value());
    job.run = "withdrawn";
    fs::create_directories(jobInputs(runs()));
    const fs::path copy = jobInputs(runs()) / "withdrawn.recipe.json";
    fs::copy_file(job.recipe, copy);
    job.recipe = copy;
    writeJob(nextJobFile(runs(), runs() / "withdrawn"), job);
    process.start(kWorker, serve);
    QVERIFY(waits("withdrawn"));
    QVERIFY(fs::exists(copy) && fs::exists(jobInputs(queue) / copy.filename()));
    askToStop(runs() / "withdrawn");
    QVERIFY(process.waitForFinished(kPatience));
    QVERIFY(waitingJobs(runs()).empty());
    QVERIFY(!fs::exists(jobInputs(queue) / copy.filename()) && !fs::exists(jobInputs(queue) / "withdrawn.architecture.json"));
    QVERIFY(!fs::exists(copy));
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

void StartAtPlaceTest::aWorkerThatCannotBeUsedIsSaid_data() {
    QTest::addColumn<QByteArray>("worker");
    QTest::addColumn<QString>("says");
    const QByteArray listens = "cat > \"$0.heard\"";
    QTest::newRow("another version") << "printf 'headroom-follow 1\\n{\"worker\": \"0.0.1\"}\\n'; " + listens
                                     << "The worker at loop is version 0.0.1, and this one is ";
    QTest::newRow("an older one") << "printf 'headroom-follow 1\\n{\"alive\": 1}\\n'; " + listens << "The worker at loop is older than this one";
    QTest::newRow("glibc too old") << QByteArray("echo \"w: version \\`GLIBC_2.99' not found (required by w)\" >&2; exit 1")
                                   << "is older than the worker needs (2.99). Debian 12 and Ubuntu 24.04 are new enough.";
    QTest::newRow("no torch, or another") << QByteArray("echo 'headroom-worker: LibTorch 2.11 was not found: Python here has no torch 2.11, and "
                                                        "HEADROOM_LIBTORCH names none. Try: pip install torch==2.11.0' >&2; exit 1")
                                          << "Try: pip install torch==2.11.0. Test the place to see what is missing.";
    QTest::newRow("no worker") << QByteArray("exit 127") << "headroom-worker does not start at loop";
}

void StartAtPlaceTest::aWorkerThatCannotBeUsedIsSaid() {
    QFETCH(QByteArray, worker);
    QFETCH(QString, says);
    Place place = m_ssh->place("there");
    place.worker = m_ssh->file("other-worker").toStdString();
    writeScript(m_ssh->file("other-worker"), worker);
    usePlace(place);
    for (const QStringList& words : {train("refused", 4), QStringList{"evaluate", "--model", kModel, "--data", "/proc/self/cwd/corpus", "--split",
                                                                      "dev", "--out", m_ssh->file("evaluated"), "--place", "loop"}}) {
        const Finished ended = runWorkerProgram(words);
        QVERIFY2(ended.status == 1 && ended.says(says.toStdString()), ended.err.c_str());
    }
    const fs::path heard = m_ssh->file("other-worker.heard").toStdString();
    QVERIFY2(!fs::exists(heard) || fs::is_empty(heard), wholeText(heard).c_str()); // nothing is asked of it
    usePlace(m_ssh->place("there"));
    beginsNow("refused");
    fs::remove_all(runs() / "refused");
    fs::remove_all(there("refused"));
    fs::remove_all(m_ssh->file("evaluated").toStdString());
}

void StartAtPlaceTest::aWorkerThatCannotStartIsSaidWhereverItStarts_data() {
    QTest::addColumn<QByteArray>("worker");
    QTest::addColumn<QString>("says");
    QTest::newRow("another processor") << QByteArray() << "It is built for another processor than that machine has (";
    QTest::newRow("glibc too old") << QByteArray("echo \"w: version \\`GLIBC_2.99' not found (required by w)\" >&2; exit 1")
                                   << "is older than the worker needs (2.99). Debian 12 and Ubuntu 24.04 are new enough.";
}

void StartAtPlaceTest::aWorkerThatCannotStartIsSaidWhereverItStarts() {
    QFETCH(QByteArray, worker);
    QFETCH(QString, says);
    Place place = m_ssh->place("there");
    place.worker = m_ssh->file("no-worker").toStdString();
    QFile program(kWorker);
    QVERIFY(program.open(QIODevice::ReadOnly));
    QByteArray foreign = program.read(4096); // a real program, of a processor that there is none of
    foreign.replace(18, 2, "\xfe\xfd");
    if (worker.isEmpty())
        writeFile(m_ssh->file("no-worker"), foreign, QFile::ExeOwner);
    else
        writeScript(m_ssh->file("no-worker"), worker);
    usePlace(place);
    const QStringList data{"--model", kModel, "--data", "/proc/self/cwd/corpus", "--split", "dev", "--place", "loop", "--out"};
    for (const QStringList& words : {train("refused", 4), QStringList{"evaluate"} + data + QStringList{m_ssh->file("e")},
                                     QStringList{"study", "heads"} + data + QStringList{m_ssh->file("s")}, QStringList{"serve", "--place", "loop"},
                                     QStringList{"places", "runs", "loop"}, QStringList{"places", "test", "loop"}}) {
        const Finished ended = runWorkerProgram(words);
        QVERIFY2(ended.status == 1 && QString::fromStdString(ended.out + ended.err).contains(says),
                 (words.join(' ').toStdString() + "\n" + ended.out + ended.err).c_str());
    }
    // As the window has it: over the session that runs of a host share.
    Job job;
    job.run = runs() / "queued";
    job.architecture = runs() / "architecture.json";
    job.recipe = runs() / "recipe.json";
    job.data = m_corpus->folder();
    job.place = "loop";
    const fs::path file = nextJobFile(runs(), job.run);
    writeJob(file, job);
    QCOMPARE(runWorkerProgram({"queue", TinyTraining::text(runs()), "--stay"}).status, 0);
    const std::string aside = wholeText(failedJobs(runs()) / file.filename());
    QVERIFY2(QString::fromStdString(aside).contains(says), aside.c_str());
    fs::remove_all(failedJobs(runs()));
    for (const QString& left : {TinyTraining::text(runs() / "refused"), TinyTraining::text(runs() / "queued"), m_ssh->file("e"), m_ssh->file("s")})
        fs::remove_all(left.toStdString());
    usePlace(m_ssh->place("there"));
}

void StartAtPlaceTest::aHostKeyIsNeverAcceptedSilently_data() {
    QTest::addColumn<QByteArray>("setting");
    for (const char* setting : {"accept-new", "no"})
        QTest::newRow(setting) << QByteArray(setting);
}

/// Whatever ~/.ssh/config says.
void StartAtPlaceTest::aHostKeyIsNeverAcceptedSilently() {
    QFETCH(QByteArray, setting);
    m_ssh->disconnect();
    m_ssh->writeClientConfig("  StrictHostKeyChecking " + setting + "\n");
    m_ssh->knowHost({});
    const std::string known = wholeText(m_ssh->file("known_hosts").toStdString());
    const QStringList data{"--model", kModel, "--data", "/proc/self/cwd/corpus", "--split", "dev", "--place", "loop", "--out"};
    for (const QStringList& words : {train("unknown key", 4), QStringList{"serve", "--place", "loop"}, QStringList{"places", "test", "loop"},
                                     QStringList{"evaluate"} + data + QStringList{m_ssh->file("e")},
                                     QStringList{"study", "heads"} + data + QStringList{m_ssh->file("s")}}) {
        const Finished ended = runWorkerProgram(words);
        QVERIFY2(ended.status == 1 && (ended.out + ended.err).find("The host key of loop is not known yet.") != std::string::npos,
                 (ended.out + ended.err).c_str());
        QCOMPARE(wholeText(m_ssh->file("known_hosts").toStdString()), known);
    }
    m_ssh->writeClientConfig();
    m_ssh->knowHost(m_ssh->publicKey("host_key"));
    beginsNow("unknown key");
    fs::remove_all(runs() / "unknown key");
    fs::remove_all(there("unknown key"));
}

void StartAtPlaceTest::aLoginShellThatPrintsTextIsSaid() {
    const std::string plain = wholeText(m_ssh->file("sshd_config").toStdString());
    const auto restart = [&](const QByteArray& more) {
        m_ssh->disconnect();
        m_ssh->stop();
        writeFile(m_ssh->file("sshd_config"), QByteArray::fromStdString(plain) + more);
        return m_ssh->start();
    };
    QVERIFY(restart("ForceCommand echo Welcome to the lab; eval \"$SSH_ORIGINAL_COMMAND\"\n"));
    Place place = m_ssh->place("another there"); // where the corpus is not yet
    usePlace(place);
    const Finished refused = runWorkerProgram(train("greeted", 4));
    QVERIFY2(refused.status == 1 && refused.says("The login shell of loop prints text before every command"), refused.err.c_str());
    QVERIFY(restart({}));
    beginsNow("greeted");
    usePlace(m_ssh->place("there"));
}

void StartAtPlaceTest::aFullDiskIsSaidAndTheRunBeginsWhenThereIsRoom() {
    SmallDisk disk(m_ssh->folder() / "disk");
    if (!disk.problem().isEmpty())
        QSKIP(qPrintable("A small disk could not be mounted: " + disk.problem()));
    usePlace(m_ssh->place("disk"));
    disk.fill();
    const Finished refused = runWorkerProgram(train("full", 4));
    QVERIFY2(refused.status == 1 && refused.says("The disk of loop is full. Free space there and start again; what was copied is kept."),
             refused.err.c_str());
    disk.empty();
    beginsNow("full");
    usePlace(m_ssh->place("there"));
}

void StartAtPlaceTest::aFolderThatCannotBeWrittenIsSaid() {
    SmallDisk disk(m_ssh->folder() / "old disk");
    if (!disk.problem().isEmpty())
        QSKIP(qPrintable("A small disk could not be mounted: " + disk.problem()));
    usePlace(m_ssh->place("old disk"));
    disk.setReadOnly(true);
    const Finished refused = runWorkerProgram(train("read-only", 4));
    QVERIFY2(refused.status == 1 && refused.says("The folder is on a file system of loop that is read-only."), refused.err.c_str());
    disk.setReadOnly(false);
    beginsNow("read-only");
    usePlace(m_ssh->place("there"));
}

HEADROOM_TEST(StartAtPlaceTest)

} // namespace headroom::testing::start_at_place_test

#include "start_at_place_test.moc"
