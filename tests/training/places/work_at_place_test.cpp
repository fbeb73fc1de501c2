// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations and studies at a place, with the real worker on both ends of a real ssh server of this machine.
#include "core/alignment/phone_map.h"
#include "core/places/run_place.h"
#include "core/runs/evaluations.h"
#include "core/runs/file_lock.h"
#include "core/runs/jobs.h"
#include "core/studies/study.h"
#include "tests/support/golden_folders.h"
#include "tests/support/runner.h"
#include "tests/training/places/left_behind.h"
#include "tests/training/places/loopback_ssh.h"
#include "tests/training/places/mirrored_runs.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"
#include "training/worker/at_place/work_inputs.h"

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom::testing::work_at_place_test {

namespace fs = std::filesystem;

class WorkAtPlaceTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        m_ssh = std::make_unique<LoopbackSsh>();
        if (!m_ssh->skipReason().isEmpty())
            QSKIP(qPrintable(m_ssh->skipReason()));
        if (QStandardPaths::findExecutable("rsync").isEmpty())
            QSKIP("rsync is not installed (Debian: rsync).");
        m_corpus = std::make_unique<ToneCorpus>(m_ssh->folder() / "corpus", 3, 600);
        // There, this path names another folder, as on another machine: the corpus has to be copied.
        QDir::setCurrent(m_ssh->file("."));
        writePlaces(m_ssh->file("places.json").toStdString(), {m_ssh->place(kThere)});
    }
    /// No process is left there.
    void cleanup() {
        QVERIFY(m_ssh->runs() || m_ssh->start()); // a slot that failed may have stopped it
        QStringList left;
        QVERIFY2(QTest::qWaitFor([&] { return (left = processesOf(QString(kThere))).isEmpty(); }, kPatience), qPrintable(left.join(u'\n')));
    }

    void anEvaluationThereIsTheSameAsHere() {
        const QStringList words{"evaluate", "--model", kModel, "--data", kData, "--split", "train", "--max-tokens", "5", "--json"};
        const Finished here = runWorkerProgram(words + QStringList{"--out", out("e-here")});
        QVERIFY2(here.status == 0, here.err.c_str());
        const Finished there = runWorkerProgram(words + QStringList{"--out", out("e-there"), "--place", "loop"});
        QVERIFY2(there.status == 0, there.err.c_str());
        // The same paths, too: what is there is nobody's business here.
        const auto document = [&](const char* name) { return nlohmann::json::parse(wholeText(folder(name) / "evaluation.json")); };
        QVERIFY2(document("e-here") == document("e-there"), wholeText(folder("e-there") / "evaluation.json").c_str());
        QVERIFY(nlohmann::json::parse(there.out) == document("e-there"));
        for (const char* name : {"references.txt", "hypotheses.txt"})
            QCOMPARE(wholeText(folder("e-there") / name), wholeText(folder("e-here") / name));
        QVERIFY(readRunPlace(folder("e-there"))->contact == RunPlace::Contact::Ended);
        QVERIFY(fs::is_empty(m_ssh->folder() / kThere / "work"));
        QVERIFY2(recordingsThere() == 3, "those of the other split are not needed");
        // What cannot be done there says why, with the paths of here.
        const Finished refused = runWorkerProgram({"evaluate", "--model", kModel, "--data", kData, "--split", "nothing", "--out",
                                         out("e-refused"), "--place", "loop"});
        QVERIFY2(refused.status == 1 && refused.says("corpus has no split “nothing”"), refused.err.c_str());
    }

    /// As one of this machine: its progress, the lock, a request to stop.
    void anEvaluationThereIsFollowedAndStoppedInItsFolder() {
        QProcess process;
        process.start(kWorker, {"evaluate", "--model", kModel, "--data", kData, "--split", "dev", "--beam", "5", "--out", out("e-followed"), "--place", "loop"});
        const auto known = [&] {
            EvaluationInfo info;
            try {
                info = readEvaluation(folder("e-followed"));
            } catch (const Error&) {
                info.total = -1; // not there yet
            }
            return info;
        };
        QVERIFY2(QTest::qWaitFor([&] { return known().done > 0; }, kPatience), process.readAllStandardError().constData());
        QVERIFY(known().state == EvaluationInfo::State::Running); // the lock is held here
        QCOMPARE(known().total, std::int64_t(600));
        QCOMPARE(known().request.data, fs::path(kData)); // the path of here
        askToStop(folder("e-followed"));
        QVERIFY(process.waitForFinished(kPatience));
        QVERIFY(known().state == EvaluationInfo::State::Stopped);
        QVERIFY(requestOf(folder("e-followed")) == RunRequest::None);
        QVERIFY2(fs::is_empty(m_ssh->folder() / kThere / "work"), "what was stopped leaves nothing, either");
        // What never starts there says so in the folder, too.
        const Finished refused = runWorkerProgram({"evaluate", "--model", kModel, "--data", kData, "--split", "dev", "--glm", "/nowhere", "--out",
                                         out("e-failed"), "--place", "loop"});
        QCOMPARE(refused.status, 1);
        const EvaluationInfo failed = readEvaluation(folder("e-failed"));
        QVERIFY2(failed.state == EvaluationInfo::State::Failed && refused.says(failed.error) && failed.error.find("/nowhere") != std::string::npos,
                 failed.error.c_str());
    }

    /// Nobody follows it then, and the next queue finds it. A request to stop that was made meanwhile is passed on.
    void theEndOfAQueueLeavesAnEvaluationThereAlone() {
        const fs::path job = enqueued("e-queue");
        QProcess queue;
        startQueueAndEndIt(queue, "e-queue");
        QVERIFY(fs::exists(job) && readEvaluation(folder("e-queue")).state == EvaluationInfo::State::Interrupted);
        QVERIFY(contactOf(folder("e-queue")) != RunPlace::Contact::Ended);
        QVERIFY2(!workersOf(kThere).isEmpty(), "it is computed there");
        const std::string there = readRunPlace(folder("e-queue"))->folder;
        askToStop(folder("e-queue"));
        queue.start(kWorker, {"queue", out(""), "--stay"});
        QVERIFY(queue.waitForFinished(kPatience));
        QVERIFY2(!fs::exists(job), queue.readAllStandardError().constData());
        QVERIFY2(readEvaluation(folder("e-queue")).state == EvaluationInfo::State::Stopped,
                 (readEvaluation(folder("e-queue")).error + queue.readAllStandardError().toStdString()).c_str());
        QCOMPARE(readRunPlace(folder("e-queue"))->folder, there);
        QVERIFY(fs::is_empty(m_ssh->folder() / kThere / "work"));
    }

    void anEvaluationThatARestartThereEndedIsBegunAgain() {
        const fs::path job = enqueued("e-restart");
        QProcess queue;
        startQueueAndEndIt(queue, "e-restart");
        const std::string there = readRunPlace(folder("e-restart"))->folder;
        for (const int process : workersOf(kThere).keys())
            ::kill(process, SIGKILL);
        cleanup();
        queue.start(kWorker, {"queue", out(""), "--stay"});
        QVERIFY(QTest::qWaitFor([&] { return readRunPlace(folder("e-restart"))->folder != there && isEvaluating("e-restart"); }, kPatience));
        QVERIFY2(!fs::exists(there), "nothing of the first one is left");
        askToStop(folder("e-restart"));
        QVERIFY(queue.waitForFinished(kPatience));
        QVERIFY(!fs::exists(job) && readEvaluation(folder("e-restart")).state == EvaluationInfo::State::Stopped);
    }

    void checkpointsOfARunAreEvaluatedThere() {
        TinyTraining tiny(m_ssh->folder() / "trained", m_corpus->folder());
        tiny.recipe.data.trainSplit = tiny.recipe.data.validationSplit = "train";
        const Finished trained = runWorkerProgram(tiny.arguments("a run"));
        QVERIFY2(trained.status == 0, trained.err.c_str());
        const QString model = QString::fromStdString((tiny.run("a run") / "model").string());
        for (const char* which : {"best", "last"}) {
            const QStringList words{"evaluate", "--model", model, "--checkpoint", which, "--data", kData, "--split", "train", "--max-tokens", "5"};
            const std::string here = std::string("c-here-") + which, there = std::string("c-there-") + which;
            const Finished local = runWorkerProgram(words + QStringList{"--out", out(here)});
            QVERIFY2(local.status == 0, local.err.c_str());
            const Finished far = runWorkerProgram(words + QStringList{"--out", out(there), "--place", "loop"});
            QVERIFY2(far.status == 0, far.err.c_str());
            QVERIFY2(nlohmann::json::parse(wholeText(folder(here) / "evaluation.json")) == nlohmann::json::parse(wholeText(folder(there) / "evaluation.json")),
                     wholeText(folder(there) / "evaluation.json").c_str());
            QCOMPARE(copiedCheckpoints(), QStringList());
        }
        const Finished refused = runWorkerProgram({"evaluate", "--model", kModel, "--checkpoint", "best", "--data", kData, "--split", "train", "--out", out("c-none"),
                                         "--place", "loop"});
        QVERIFY2(refused.status == 1 && refused.says("is not the model of a run"), refused.err.c_str());
    }

    void aCheckpointThatAnotherEvaluationUsesStaysThere() {
        const fs::path top = m_ssh->folder() / kThere, models = top / "models";
        for (const char* file : {"checkpoints-one/.used/abc", "checkpoints-two/.used/abc", "checkpoints-two/.used/def", "checkpoints-old/run/model.safetensors",
                                 "checkpoints-one/run/model.safetensors", "own/model.safetensors"}) {
            fs::create_directories((models / file).parent_path());
            writeFile(QString::fromStdString((models / file).string()), "x");
        }
        RunPlace where;
        where.place = m_ssh->place(kThere);
        where.folder = pathAt(where.place, "work/abc-1234");
        fs::create_directories(top / "work" / "abc-1234" / "out");
        training::clearThere(where);
        QVERIFY(!fs::exists(top / "work" / "abc-1234") && fs::exists(models / "own" / "model.safetensors"));
        QCOMPARE(copiedCheckpoints(), QStringList({"checkpoints-old", "checkpoints-two"}));
        QVERIFY(fs::exists(models / "checkpoints-two" / ".used" / "def") && !fs::exists(models / "checkpoints-two" / ".used" / "abc"));
        where.folder = pathAt(where.place, "work/def-1234");
        training::clearThere(where);
        QCOMPARE(copiedCheckpoints(), QStringList({"checkpoints-old"})); // nobody says that it is not used
        fs::remove_all(models / "checkpoints-old");
        fs::remove_all(models / "own");
    }

    /// It says when it is tried again, is tried at once on request, and a request to stop waits for the contact.
    void aLostContactIsTriedAgain() {
        QProcess process;
        process.start(kWorker, longStudy("s-again"));
        QVERIFY(QTest::qWaitFor([&] { return isMeasuring("s-again"); }, kPatience));
        m_ssh->stop();
        const auto place = [&] { return *readRunPlace(folder("s-again")); };
        QVERIFY(QTest::qWaitFor([&] { return place().contact == RunPlace::Contact::Lost; }, kPatience));
        QVERIFY(!place().nextTry.empty());
        stopStudy(folder("s-again"));
        askToReconnect(folder("s-again"));
        QVERIFY(QTest::qWaitFor([&] { return !fs::exists(folder("s-again") / "reconnect"); }, kPatience)); // it was taken
        QVERIFY(process.state() == QProcess::Running && place().contact == RunPlace::Contact::Lost);
        QVERIFY(m_ssh->start());
        QVERIFY(process.waitForFinished(kPatience));
        QVERIFY(readStudy(folder("s-again")).state == RunState::Stopped);
        QVERIFY(place().nextTry.empty());
    }

    void theDeviceOfThePlaceComputes() {
        Place place = m_ssh->place(kThere);
        place.device = "cuda:77";
        place.name = "no such GPU";
        writePlaces(m_ssh->file("places.json").toStdString(), {m_ssh->place(kThere), place});
        for (const QStringList& command : {QStringList{"evaluate", "--split", "dev", "--max-tokens", "5"}, QStringList{"study", "heads", "--split", "dev", "--utterances", "1"}}) {
            const QStringList words = command + QStringList{"--model", kModel, "--data", kData, "--place", "no such GPU", "--out"};
            const Finished refused = runWorkerProgram(words + QStringList{out("d-" + command.front().toStdString())});
            QVERIFY2(refused.status == 1 && refused.says("There is no device cuda:77."), refused.err.c_str());
            const Finished typed = runWorkerProgram(words + QStringList{out("t-" + command.front().toStdString()), "--device", "cpu"});
            QVERIFY2(typed.status == 0, typed.err.c_str());
        }
    }

    void mappingRulesGoThere() {
        const fs::path rules = m_ssh->folder() / "rules, it's “odd”.glm";
        std::ofstream(rules) << ";; rules\n* case_sensitive = 'F'\n[VILLAGE] => [TOWN] / [ ] __ [ ]\n";
        const QStringList words{"evaluate", "--model", kModel, "--data", kData, "--split", "dev", "--max-tokens", "5", "--json",
                                "--glm", QString::fromStdString(rules.string())};
        const Finished here = runWorkerProgram(words + QStringList{"--out", out("g-here")});
        QVERIFY2(here.status == 0, here.err.c_str());
        const Finished there = runWorkerProgram(words + QStringList{"--out", out("g-there"), "--place", "loop"});
        QVERIFY2(there.status == 0, there.err.c_str());
        const auto document = nlohmann::json::parse(wholeText(folder("g-there") / "evaluation.json"));
        QVERIFY2(document == nlohmann::json::parse(wholeText(folder("g-here") / "evaluation.json")), document.dump().c_str());
        QVERIFY(document.contains("wer-sclite"));
        int copies = 0;
        for (const auto& entry : fs::recursive_directory_iterator(m_ssh->folder() / kThere / "data"))
            copies += entry.path().filename() == rules.filename();
        QCOMPARE(copies, 1);
        QCOMPARE(QString::fromStdString(document["glm"].get<std::string>()), words.last()); // the path of here
        std::ofstream(rules) << "no rule\n";
        const Finished refused = runWorkerProgram(words + QStringList{"--out", out("g-refused"), "--place", "loop"});
        QVERIFY2(refused.status == 1 && refused.says(rules.filename().string() + ", line 1: "), refused.err.c_str());
    }

    void aStudyThereIsTheSameAsHere() {
        const QStringList words{"study", "windows", "--model", kModel, "--data", kData, "--split", "train", "--utterances", "3",
                                "--cache", out("cache"), "--threads", "1"};
        const Finished here = runWorkerProgram(words + QStringList{"--out", out("s-here")});
        QVERIFY2(here.status == 0, here.err.c_str());
        const Finished there = runWorkerProgram(words + QStringList{"--out", out("s-there"), "--place", "loop"});
        QVERIFY2(there.status == 0, there.err.c_str());
        Study a = readStudy(folder("s-here")), b = readStudy(folder("s-there"));
        QVERIFY(b.state == RunState::Finished && a.models.front().folder == b.models.front().folder && a.data == b.data);
        QCOMPARE(b.utterances.front().audio, a.utterances.front().audio);
        for (const char* name : {"results.npz", "places.npz"})
            QVERIFY2(wholeText(folder("s-here") / name) == wholeText(folder("s-there") / name), name);
        QVERIFY(fs::exists(folder("s-there") / "tables"));
        QVERIFY2(QString::fromStdString(there.out).contains("The study is in " + out("s-there")), there.out.c_str());
    }

    void recordingsGoThereWithTheirAlignments() {
        const fs::path demo = fs::path(HEADROOM_SOURCE_DIR) / "resources/demo/demo.wav";
        // The model is copied, too, and keeps its name.
        fs::create_directory_symlink(kModel.toStdString(), m_ssh->folder() / "my model");
        const Finished ended = runWorkerProgram({"study", "heads", "--model", "/proc/self/cwd/my model", "--audio", QString::fromStdString(demo.string()), "--out",
                                       out("s-audio"), "--place", "loop"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const Study study = readStudy(folder("s-audio"));
        QCOMPARE(study.models.front().name, std::string("my model"));
        QCOMPARE(study.models.front().folder, std::string("/proc/self/cwd/my model"));
        QCOMPARE(study.utterances.front().audio, demo.string());
        QCOMPARE(study.utterances.front().alignment, fs::path(demo).replace_extension("TextGrid").string());
    }

    void phoneMapsGoThere() {
        const fs::path map = m_ssh->folder() / "ARPABET, edited.tsv";
        PhoneMap edited;
        edited.set("AH", 5);
        edited.write(map);
        const QString demo = QStringLiteral(HEADROOM_SOURCE_DIR "/resources/demo/demo.wav");
        const Finished ended = runWorkerProgram({"study", "heads", "--model", kModel, "--audio", demo, "--set",
                                                 QString::fromStdString("phoneMap=" + map.string()), "--out", out("s-map"), "--place", "loop"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        int copies = 0;
        for (const auto& entry : fs::recursive_directory_iterator(m_ssh->folder() / kThere / "data"))
            copies += entry.path().filename() == map.filename();
        QCOMPARE(copies, 1);
        QCOMPARE(readStudy(folder("s-map")).settings.at("phoneMap").get<std::string>(), map.string()); // the path of here
        QVERIFY(PhoneMap::read(folder("s-map") / "phones.tsv") == edited);
    }

    /// As they are, also one that begins with a dash.
    void sentencesGoThere() {
        const QString model = QString::fromStdString((repositoryGoldens() / "parity/decoding/text/model").string());
        const Finished ended = runWorkerProgram(
            {"study", "windows", "--model", model, "--text=abc cd e", "--text=-abc", "--out", out("s-texts"), "--place", "loop"});
        QVERIFY2(ended.status == 0, ended.err.c_str());
        const Study study = readStudy(folder("s-texts"));
        QCOMPARE(study.utterances.size(), std::size_t(2));
        QCOMPARE(study.utterances.front().text, std::string("abc cd e"));
        QCOMPARE(study.utterances.back().text, std::string("-abc"));
    }

    void interruptingStopsItThereAndResumeGoesOnThere() {
        QProcess process;
        process.start(kWorker, longStudy("s-stopped", 400));
        QVERIFY2(QTest::qWaitFor([&] { return isMeasuring("s-stopped"); }, kPatience), process.readAllStandardError().constData());
        QVERIFY(readStudy(folder("s-stopped")).state == RunState::Running); // its lock is held here
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(kPatience));
        QCOMPARE(process.exitCode(), 130);
        QVERIFY(readStudy(folder("s-stopped")).state == RunState::Stopped);
        cleanup();
        const Finished resumed = runWorkerProgram({"study", "--resume", out("s-stopped")});
        QVERIFY2(resumed.status == 0, resumed.err.c_str());
        QVERIFY(readStudy(folder("s-stopped")).state == RunState::Finished);
    }

    /// Whether the worker there is just being started or computes.
    void interruptingAtOnceLeavesNothingThere() {
        for (const int milliseconds : {600, 1200, 1800}) {
            const std::string name = "s-early-" + std::to_string(milliseconds);
            QProcess process;
            process.start(kWorker, longStudy(name));
            QTest::qWait(milliseconds);
            ::kill(static_cast<pid_t>(process.processId()), SIGINT);
            QVERIFY(process.waitForFinished(kPatience));
            QVERIFY(!fs::exists(StudyPaths{folder(name)}.study()) || readStudy(folder(name)).state == RunState::Stopped);
            cleanup();
        }
    }

    void controlJsonStopsItThere() {
        QProcess process;
        process.start(kWorker, longStudy("s-asked"));
        QVERIFY(QTest::qWaitFor([&] { return isMeasuring("s-asked"); }, kPatience));
        stopStudy(folder("s-asked"));
        QVERIFY(process.waitForFinished(kPatience));
        QVERIFY(readStudy(folder("s-asked")).state == RunState::Stopped);
        QVERIFY(!studyWasAskedToStop(folder("s-asked")));
    }

    void itGoesOnWithoutTheConnectionAndWithoutTheWatcher() {
        QProcess process;
        process.start(kWorker, longStudy("s-lost", 400));
        QVERIFY(QTest::qWaitFor([&] { return isMeasuring("s-lost"); }, kPatience));
        m_ssh->stop();
        QVERIFY(QTest::qWaitFor([&] { return contactOf(folder("s-lost")) == RunPlace::Contact::Lost; }, kPatience));
        process.kill();
        QVERIFY(process.waitForFinished(kPatience));
        QVERIFY(m_ssh->start());
        const Finished again = runWorkerProgram({"study", "--resume", out("s-lost")});
        QVERIFY2(again.status == 0, again.err.c_str());
        QVERIFY(readStudy(folder("s-lost")).state == RunState::Finished);
        QVERIFY(!FileLock::isLocked(StudyPaths{folder("s-lost")}.lock()));
    }

private:
    /// A limit for what happens in a second or two on a machine that has nothing else to do.
    static constexpr int kPatience = 120000;
    static constexpr const char* kThere = "a place, it's “odd”";
    static constexpr const char* kData = "/proc/self/cwd/corpus";
    fs::path folder(const std::string& name) const { return m_ssh->folder() / "here" / name; }
    QString out(const std::string& name) const { return QString::fromStdString(folder(name).string()); }
    /// With all 600 utterances it takes much longer than it is let run, in an optimised build too.
    QStringList longStudy(const std::string& name, int utterances = 600) const {
        return {"study", "heads", "--model", kModel, "--data", kData, "--split", "dev", "--utterances", QString::number(utterances),
                "--threads", "1", "--cache", out("cache-" + name), "--out", out(name), "--place", "loop"};
    }
    /// A job that takes much longer than it is let run, in the queue of the folder "".
    fs::path enqueued(const std::string& name) const {
        Job job;
        job.run = folder(name);
        job.place = "loop";
        job.evaluation = EvaluationRequest{kModel.toStdString(), "model", kData, "dev", "", 60};
        job.evaluation->place = "loop";
        const fs::path file = nextJobFile(folder(""), job.run);
        writeJob(file, job);
        return file;
    }
    QStringList copiedCheckpoints() const {
        const QDir models(QString::fromStdString((m_ssh->folder() / kThere / "models").string()));
        return models.entryList({"checkpoints-*", ".gone-*"}, QDir::Dirs | QDir::Hidden | QDir::NoDotAndDotDot);
    }
    /// As when the user logs out: every process receives the signal.
    void startQueueAndEndIt(QProcess& queue, const std::string& name) {
        queue.start(kWorker, {"queue", out(""), "--stay"});
        QVERIFY(QTest::qWaitFor([&] { return isEvaluating(name); }, kPatience));
        for (const pid_t child : LoopbackSsh::childrenOf(queue.processId()))
            ::kill(child, SIGTERM);
        ::kill(static_cast<pid_t>(queue.processId()), SIGTERM);
        QVERIFY(queue.waitForFinished(kPatience));
    }
    bool isEvaluating(const std::string& name) const {
        try {
            const EvaluationInfo info = readEvaluation(folder(name));
            return info.done > 0 && info.state == EvaluationInfo::State::Running;
        } catch (const Error&) {
            return false; // not there yet
        }
    }
    int recordingsThere() const {
        int count = 0;
        for (const auto& entry : fs::recursive_directory_iterator(m_ssh->folder() / kThere / "data"))
            count += entry.path().extension() == ".wav";
        return count;
    }
    bool isMeasuring(const std::string& name) const { return readStudyProgress(folder(name)).done > 0; }

    std::unique_ptr<LoopbackSsh> m_ssh;
    std::unique_ptr<ToneCorpus> m_corpus;
};

HEADROOM_TEST(WorkAtPlaceTest)

} // namespace headroom::testing::work_at_place_test

#include "work_at_place_test.moc"
