// SPDX-License-Identifier: GPL-3.0-or-later
// Runs at a place, with the real worker on both ends of a real ssh server of this machine.
#include "core/runs/run_control.h"
#include "tests/support/runner.h"
#include "tests/training/places/trainings_there.h"

#include <chrono>
#include <fstream>
#include <set>
#include <thread>

namespace headroom::testing::train_at_place_test {

namespace fs = std::filesystem;

class TrainAtPlaceTest : public QObject, TrainingsThere {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase();
    void cleanup();
    void aRunThereIsARunHere();
    void theDeviceOfThePlaceComputes();
    void whatIsTypedGoesBeforeThePlace();
    void aLanguageModelTakesTextsAlone();
    void stopAndResume();
    void pauseAndEvaluate();
    void aLostConnectionIsFoundAgain();
    void theWatcherMayBeKilled();
    void severalMachinesMayWatchOneRun();
    void theQueueWatchesRunsElsewhereBesideItsOwn();
    void theRunsOfAHostShareOneSession();
    void aFolderThatIsRemovedThereIsSaid();

private:
    static constexpr std::int64_t kNeverDone = 1'000'000; ///< more updates than any machine does during this test
    static constexpr const char* kThere = "a place, it's “odd”";
};

void TrainAtPlaceTest::initTestCase() {
    if (const QString reason = setUp(kThere); !reason.isEmpty())
        QSKIP(qPrintable(reason));
    m_tiny->recipe.validation.everyUpdates = 5;
}

void TrainAtPlaceTest::cleanup() {
    QVERIFY(isReadyForTheNext());
}

void TrainAtPlaceTest::aRunThereIsARunHere() {
    const Finished ended = runWorkerProgram(train("first", 12));
    QVERIFY2(ended.status == 0, ended.err.c_str());
    QVERIFY2(ended.out.find("The run first is finished at update 12, at loop.") != std::string::npos,
             ended.out.c_str());
    const RunInfo info = readRun(runs() / "first");
    QVERIFY(info.state == RunState::Finished);
    QCOMPARE(stepsHere("first"), std::int64_t(12));
    compareFolders("first", true);
    QVERIFY(contact("first") == RunPlace::Contact::Ended);
    // The corpus was copied, and the run is what it would have been here.
    QVERIFY2(info.data.find((m_ssh->folder() / kThere / "data/corpus-").string()) == 0, info.data.c_str());
    QCOMPARE(readRunPlace(runs() / "first")->data, std::string("/proc/self/cwd/corpus")); // as it is called here
    const Finished alone = runWorkerProgram(m_tiny->arguments("alone"));
    QVERIFY2(alone.status == 0, alone.err.c_str());
    QVERIFY(m_tiny->weights("alone") == m_tiny->weights("first"));
    // Twice is an error, as with every run.
    const Finished again = runWorkerProgram(train("first", 12));
    QVERIFY2(again.status == 1 && again.says("already exists"), again.err.c_str());
}

void TrainAtPlaceTest::theDeviceOfThePlaceComputes() {
    // A GPU that no machine has: the run is refused in the worker's own words, and begins when the place is changed.
    Place place = m_ssh->place(kThere);
    place.device = "cuda:77";
    writePlaces(m_ssh->file("places.json").toStdString(), {place});
    const Finished refused = runWorkerProgram(train("device", 8));
    QVERIFY2(refused.status == 1 && refused.says("There is no device cuda:77."), refused.err.c_str());
    QVERIFY(!fs::exists(RunPaths{runs() / "device"}.run()));
    place.device = "cpu";
    writePlaces(m_ssh->file("places.json").toStdString(), {place});
    const Finished ended = runWorkerProgram(train("device", 8));
    QVERIFY2(ended.status == 0, ended.err.c_str());
    QCOMPARE(readRun(runs() / "device").decided.device, std::string("cpu"));
    writePlaces(m_ssh->file("places.json").toStdString(), {m_ssh->place(kThere)});
}

void TrainAtPlaceTest::whatIsTypedGoesBeforeThePlace() {
    Place place = m_ssh->place(kThere);
    place.device = "cuda:77";
    writePlaces(m_ssh->file("places.json").toStdString(), {place});
    m_tiny->recipe.length.maxUpdates = kNeverDone;
    QProcess watcher;
    watcher.start(kWorker, m_tiny->arguments("typed", {"--place", "loop", "--device", "cpu", "--ranks", "2"}));
    QVERIFY2(QTest::qWaitFor([&] { return stepsHere("typed") > 3; }, kPatience), watcher.readAllStandardError().constData());
    askToStop(runs() / "typed");
    QVERIFY(watcher.waitForFinished(kPatience));
    QVERIFY(readRun(runs() / "typed").state == RunState::Stopped);
    // It is remembered: the run goes on as it began.
    QProcess again;
    const std::int64_t before = stepsHere("typed");
    again.start(kWorker, {"train", "--run", TinyTraining::text(runs() / "typed"), "--resume"});
    QVERIFY2(QTest::qWaitFor([&] { return stepsHere("typed") > before + 2; }, kPatience), again.readAllStandardError().constData());
    askToStop(runs() / "typed");
    QVERIFY(again.waitForFinished(kPatience));
    const std::string log = wholeText(RunPaths{runs() / "typed"}.log()), ranks = "2 ranks train this run.";
    QVERIFY2(log.find(ranks) != std::string::npos && log.find(ranks) != log.rfind(ranks), log.c_str());
    writePlaces(m_ssh->file("places.json").toStdString(), {m_ssh->place(kThere)});
}

void TrainAtPlaceTest::aLanguageModelTakesTextsAlone() {
    const fs::path folder = m_ssh->folder() / "texts of speech", architecture = runs() / "lm.architecture.json";
    const ToneCorpus corpus(folder, 20, 4);
    std::ofstream(architecture) << R"({ "format": "headroom/architecture", "version": 1, "name": "tiny language model",
  "languageModel": { "kind": "lstm", "layers": 1, "width": 16, "dropout": 0.1, "tiedEmbeddings": true }, "vocabulary": 256 })";
    const QStringList words{"train", "--architecture", TinyTraining::text(architecture), "--recipe", HEADROOM_SOURCE_DIR "/resources/recipes/demo-lm.json",
                            "--data", "/proc/self/cwd/texts of speech", "--set", "length.maxUpdates=4", "--set", "machine.threads=1"};
    const auto run = [&](const std::string& name, const QStringList& more) {
        return runWorkerProgram(words + QStringList{"--run", TinyTraining::text(runs() / name)} + more);
    };
    const Finished here = run("lm-here", {});
    QVERIFY2(here.status == 0, here.err.c_str());
    const Finished ended = run("lm-there", {"--place", "loop"});
    QVERIFY2(ended.status == 0, ended.err.c_str());
    QVERIFY(m_tiny->weights("lm-here") == m_tiny->weights("lm-there"));
    std::set<std::string> copied;
    const fs::path copy = readRun(runs() / "lm-there").data;
    for (const auto& entry : fs::recursive_directory_iterator(copy))
        copied.insert(entry.path().lexically_relative(copy).string());
    QVERIFY(copy != "/proc/self/cwd/texts of speech");
    QVERIFY2(copied == (std::set<std::string>{"corpus.json", "train_asr.tsv", "dev_asr.tsv", corpusTokenizerName("asr")}),
             nlohmann::json(copied).dump().c_str());
}

void TrainAtPlaceTest::stopAndResume() {
    QProcess process;
    process.start(kWorker, train("stopped", kNeverDone));
    QVERIFY(QTest::qWaitFor([&] { return stepsHere("stopped") > 3; }, kPatience));
    QVERIFY(readRun(runs() / "stopped").state == RunState::Running);
    QVERIFY(contact("stopped") == RunPlace::Contact::Connected);
    askToStop(runs() / "stopped");
    QVERIFY(process.waitForFinished(kPatience));
    QCOMPARE(process.exitCode(), 0);
    const RunInfo info = readRun(runs() / "stopped");
    QVERIFY(info.state == RunState::Stopped);
    QVERIFY(!fs::exists(RunPaths{runs() / "stopped"}.control()));
    compareFolders("stopped", false);
    // Two updates more would be another run: the recipe there decides, so it is stopped again.
    QProcess resumed;
    resumed.start(kWorker, {"train", "--run", TinyTraining::text(runs() / "stopped"), "--resume"});
    QVERIFY(QTest::qWaitFor([&] { return stepsHere("stopped") > info.update + 2; }, kPatience));
    QVERIFY(readRun(runs() / "stopped").state == RunState::Running);
    askToStop(runs() / "stopped");
    QVERIFY(resumed.waitForFinished(kPatience));
    QCOMPARE(resumed.exitCode(), 0);
    QCOMPARE(readRun(runs() / "stopped").resumed, std::int64_t(1));
    compareFolders("stopped", false);
}

void TrainAtPlaceTest::pauseAndEvaluate() {
    const fs::path here = runs() / "paused";
    const auto sizeThere = [&] { return wholeText(RunPaths{there("paused")}.events()).size(); };
    QProcess process;
    process.start(kWorker, train("paused", kNeverDone));
    QVERIFY(QTest::qWaitFor([&] { return stepsHere("paused") > 3; }, kPatience));
    askToPause(here);
    QVERIFY(QTest::qWaitFor([&] { return controlOf(there("paused")) == RunControl::Pause; }, kPatience));
    QVERIFY(QTest::qWaitFor([&] { return wholeText(RunPaths{here}.log()).find("Paused after") != std::string::npos; },
                            kPatience));
    const auto before = sizeThere();
    QVERIFY(controlOf(here) == RunControl::Pause); // until it is taken back
    QTest::qWait(300);
    QCOMPARE(sizeThere(), before);
    // A connection that is lost meanwhile does not end the pause.
    m_ssh->stop();
    QVERIFY(QTest::qWaitFor([&] { return contact("paused") == RunPlace::Contact::Lost; }, kPatience));
    QVERIFY(m_ssh->start());
    QVERIFY(QTest::qWaitFor([&] { return contact("paused") == RunPlace::Contact::Connected; }, kPatience));
    QCOMPARE(sizeThere(), before);
    QVERIFY(takeRequest(here, RunControl::Pause));
    QVERIFY(QTest::qWaitFor([&] { return sizeThere() > before; }, kPatience));
    const std::int64_t next = stepsHere("paused");
    askToEvaluate(here);
    QVERIFY(QTest::qWaitFor([&] { return !fs::exists(RunPaths{here}.control()); }, kPatience)); // it arrived
    QVERIFY(QTest::qWaitFor([&] { return stepsHere("paused") > next + 3; }, kPatience));
    QVERIFY(QTest::qWaitFor([&] { return controlOf(there("paused")) == RunControl::None; }, kPatience)); // between two updates
    askToPause(here);
    QVERIFY(QTest::qWaitFor([&] { return controlOf(there("paused")) == RunControl::Pause; }, kPatience));
    askToStop(here); // of a paused run
    QVERIFY(process.waitForFinished(kPatience));
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(readRun(here).state == RunState::Stopped);
    compareFolders("paused", false);
}

void TrainAtPlaceTest::aLostConnectionIsFoundAgain() {
    QProcess process;
    process.start(kWorker, train("lost", 200));
    QVERIFY(QTest::qWaitFor([&] { return stepsHere("lost") > 3; }, kPatience));
    m_ssh->stop();
    QVERIFY(QTest::qWaitFor([&] { return contact("lost") == RunPlace::Contact::Lost; }, kPatience));
    const auto place = readRunPlace(runs() / "lost");
    QVERIFY(!place->sentence.empty() && !place->since.empty());
    QVERIFY(readRun(runs() / "lost").state == RunState::Running); // as far as anybody here knows
    const std::int64_t before = stepsHere("lost");
    // It goes on there; as long as it does, a slow machine has time.
    for (std::int64_t steps = -1; readRun(there("lost")).state != RunState::Finished;) {
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(there("lost")) > steps || readRun(there("lost")).state == RunState::Finished; }, kPatience));
        steps = stepsIn(there("lost"));
    }
    QCOMPARE(stepsHere("lost"), before);
    QVERIFY(m_ssh->start());
    askToReconnect(runs() / "lost"); // by itself it tries again in up to 20 s
    QVERIFY(process.waitForFinished(kPatience));
    QCOMPARE(process.exitCode(), 0);
    QVERIFY(readRun(runs() / "lost").state == RunState::Finished);
    QCOMPARE(stepsHere("lost"), std::int64_t(200));
    compareFolders("lost", true);
}

/// Two other runs folders stand for two other machines: neither of them began the run.
void TrainAtPlaceTest::severalMachinesMayWatchOneRun() {
    const auto watched = [&](const char* machine) { return m_ssh->folder() / machine / "shared"; };
    const auto watch = [&](const char* machine, const char* run = "shared") {
        return QStringList{"train", "--run", TinyTraining::text(m_ssh->folder() / machine / run), "--place", "loop", "--watch"};
    };
    const Finished none = runWorkerProgram(watch("second", "no such run"));
    QVERIFY2(none.status == 1 && none.says("There is no run no such run at loop"), none.err.c_str());
    QVERIFY(!fs::exists(m_ssh->folder() / "second/no such run"));
    QProcess first, second, third;
    first.start(kWorker, train("shared", kNeverDone));
    QVERIFY(QTest::qWaitFor([&] { return stepsHere("shared") > 3; }, kPatience));
    askToPause(runs() / "shared");
    QVERIFY(QTest::qWaitFor([&] { return controlOf(there("shared")) == RunControl::Pause; }, kPatience));
    second.start(kWorker, watch("second"));
    third.start(kWorker, watch("third"));
    for (const char* machine : {"second", "third"})
        QVERIFY2(QTest::qWaitFor([&] { return stepsIn(watched(machine)) > 3 && contactOf(watched(machine)) == RunPlace::Contact::Connected; },
                                 kPatience), machine);
    QVERIFY(controlOf(there("shared")) == RunControl::Pause); // who watches changes nothing
    takeRequest(runs() / "shared", RunControl::Pause);
    const std::int64_t before = stepsIn(watched("second"));
    QVERIFY(QTest::qWaitFor([&] { return stepsIn(watched("second")) > before + 3; }, kPatience));
    third.terminate(); // the others go on
    QVERIFY(third.waitForFinished(kPatience));
    askToStop(watched("second")); // any of them may ask
    for (QProcess* process : {&first, &second}) {
        QVERIFY(process->waitForFinished(kPatience));
        QVERIFY2(process->exitCode() == 0, process->readAllStandardError().constData());
    }
    QVERIFY(readRun(runs() / "shared").state == RunState::Stopped);
    compareFolders("shared", false);
    QCOMPARE(QString::fromStdString(firstDifference(watched("second"), there("shared"), false)), QString());
    // A run that has stopped is fetched and not resumed.
    const Finished fetched = runWorkerProgram(watch("third"));
    QVERIFY2(fetched.status == 0, fetched.err.c_str());
    QCOMPARE(QString::fromStdString(firstDifference(watched("third"), there("shared"), false)), QString());
    QVERIFY(readRun(there("shared")).state == RunState::Stopped && readRun(there("shared")).resumed == 0);
}

void TrainAtPlaceTest::theWatcherMayBeKilled() {
    QProcess process;
    process.start(kWorker, train("watched", 100));
    // In the middle of a file: what is here of it is said when the run is found again.
    const auto isArriving = [&] {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(runs() / "watched" / "checkpoints", ignored))
            if (entry.path().extension() == ".part")
                return true;
        return false;
    };
    QVERIFY(QTest::qWaitFor([&] { return stepsHere("watched") > 3; }, kPatience));
    const auto until = std::chrono::steady_clock::now() + std::chrono::seconds(3);
    while (!isArriving() && std::chrono::steady_clock::now() < until)
        std::this_thread::sleep_for(std::chrono::microseconds(200));
    process.kill();
    QVERIFY(process.waitForFinished(kPatience));
    if (!isArriving()) // it was faster: as if it had not been
        writeFile(QString::fromStdString((runs() / "watched/checkpoints/.step-000002.safetensors.9000-5.part").string()),
                  "half of it");
    const Finished resumed = runWorkerProgram({"train", "--run", TinyTraining::text(runs() / "watched"), "--resume"});
    QVERIFY2(resumed.status == 0, resumed.err.c_str());
    QVERIFY(readRun(runs() / "watched").state == RunState::Finished);
    compareFolders("watched", true);
}

void TrainAtPlaceTest::theQueueWatchesRunsElsewhereBesideItsOwn() {
    m_tiny->recipe.length.maxUpdates = 30;
    m_tiny->arguments("elsewhere"); // writes the recipe
    Job job;
    job.run = "elsewhere";
    job.architecture = runs() / "architecture.json";
    job.recipe = runs() / "recipe.json";
    job.data = m_corpus->folder();
    job.place = "loop";
    writeJob(nextJobFile(runs(), runs() / "elsewhere"), job);
    QCOMPARE(readJob(waitingJobs(runs()).front()).place, std::string("loop"));
    Job local = job;
    local.run = "local";
    local.place.clear();
    writeJob(nextJobFile(runs(), runs() / "local"), local);
    job.run = "nowhere";
    job.place = "no such place";
    writeJob(nextJobFile(runs(), runs() / "nowhere"), job);
    const Finished ended = runWorkerProgram({"queue", TinyTraining::text(runs()), "--stay"});
    QVERIFY2(ended.status == 0, ended.err.c_str());
    QVERIFY(waitingJobs(runs()).empty());
    for (const char* run : {"elsewhere", "local"})
        QVERIFY2(readRun(runs() / run).state == RunState::Finished, run);
    QVERIFY(m_tiny->weights("elsewhere") == m_tiny->weights("local"));
    const auto failed = readStrictObject(failedJobs(runs()) / "500002_nowhere.json", "test");
    QCOMPARE(failed["error"].get<std::string>(),
             std::string("There is no place “no such place”. Places: loop."));
}

void TrainAtPlaceTest::aFolderThatIsRemovedThereIsSaid() {
    const fs::path here = runs() / "removed";
    QProcess process;
    process.start(kWorker, train("removed", kNeverDone));
    QVERIFY(QTest::qWaitFor([&] { return stepsHere("removed") > 3; }, kPatience));
    const std::int64_t before = stepsHere("removed");
    fs::rename(there("removed"), m_ssh->folder() / "elsewhere"); // at once, whatever is written meanwhile
    QVERIFY(process.waitForFinished(kPatience));
    QCOMPARE(process.exitCode(), 1);
    const QByteArray errors = process.readAllStandardError();
    QVERIFY2(errors.contains("The run's folder is no longer at loop") && errors.contains("start a new run"), errors.constData());
    QVERIFY2(readRun(here).state == RunState::Interrupted, toText(readRun(here).state));
    QVERIFY(stepsHere("removed") >= before);
    const auto place = readRunPlace(here);
    QVERIFY2(place->contact == RunPlace::Contact::Ended && place->sentence.find("no longer at loop") != std::string::npos,
             place->sentence.c_str());
    const Finished again = runWorkerProgram({"train", "--run", TinyTraining::text(here), "--resume"});
    QVERIFY2(again.status == 1 && again.says("no longer at loop"), again.err.c_str());
}

/// More runs than sshd allows sessions on a connection.
void TrainAtPlaceTest::theRunsOfAHostShareOneSession() {
    constexpr int kWatched = 12;
    const fs::path shared = m_ssh->folder() / "shared";
    std::vector<FileLock> held; // by the trainings that this test stands for
    RunPlace place;
    place.place = m_ssh->place(kThere);
    place.begun = true;
    for (int i = 0; i < kWatched; ++i) {
        const std::string name = "shared-" + std::to_string(i);
        fs::create_directories(shared / name);
        fs::create_directories(there(name));
        RunInfo info;
        info.id = name;
        info.maxUpdates = 100;
        writeRun(there(name), info);
        held.push_back(takeRun(there(name)));
        place.folder = there(name).string();
        writeRunPlace(shared / name, place);
        Job job;
        job.run = shared / name;
        job.resume = true;
        writeJob(nextJobFile(shared, job.run), job);
    }
    const auto arrived = [&](const std::string& text) {
        for (int i = 0; i < kWatched; ++i)
            if (wholeText(RunPaths{shared / ("shared-" + std::to_string(i))}.log()).find(text) == std::string::npos)
                return false;
        return true;
    };
    const auto say = [&](const std::string& line) {
        for (int i = 0; i < kWatched; ++i)
            std::ofstream(RunPaths{there("shared-" + std::to_string(i))}.log(), std::ios::app) << line << std::endl;
    };
    QProcess queue;
    queue.start(kWorker, {"queue", TinyTraining::text(shared), "--stay"});
    say("one");
    QVERIFY(QTest::qWaitFor([&] { return arrived("one\n"); }, kPatience));
    QCOMPARE(m_ssh->connections().size(), std::size_t(1));
    // All are found again, by one connection.
    m_ssh->cut();
    say("two");
    QVERIFY(QTest::qWaitFor([&] { return arrived("one\ntwo\n"); }, kPatience));
    QCOMPARE(m_ssh->connections().size(), std::size_t(1));
    // What is asked of one reaches that one.
    askToStop(shared / "shared-7");
    QVERIFY(QTest::qWaitFor([&] { return requestOf(there("shared-7")) == RunRequest::Stop; }, kPatience));
    QVERIFY(requestOf(there("shared-6")) != RunRequest::Stop);
    for (int i = 0; i < kWatched; ++i) {
        RunInfo info = readRun(there("shared-" + std::to_string(i)));
        info.state = RunState::Stopped;
        writeRun(there(info.id), info);
    }
    held.clear();
    QVERIFY(queue.waitForFinished(kPatience));
    QVERIFY(waitingJobs(shared).empty());
    for (int i = 0; i < kWatched; ++i)
        QVERIFY(readRun(shared / ("shared-" + std::to_string(i))).state == RunState::Stopped);
}

HEADROOM_TEST(TrainAtPlaceTest)

} // namespace headroom::testing::train_at_place_test

#include "train_at_place_test.moc"
