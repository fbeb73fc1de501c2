// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations at a place, and the device that they and studies compute on there, with the real worker on both ends of a real ssh
// server of this machine.
#include "core/runs/evaluations.h"
#include "core/runs/jobs.h"
#include "tests/support/runner.h"
#include "tests/training/places/work_there.h"
#include "tests/training/worker/run_training.h"
#include "training/worker/at_place/work_inputs.h"

#include <csignal>
#include <fstream>
#include <nlohmann/json.hpp>

namespace headroom::testing::work_at_place_test {

namespace fs = std::filesystem;

class WorkAtPlaceTest : public QObject, WorkThere {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = setUp(kThere); !reason.isEmpty())
            QSKIP(qPrintable(reason));
    }
    void cleanup() { noProcessIsLeftThere(); }

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

private:
    static constexpr const char* kThere = "a place of evaluations, it's “odd”"; ///< of no other test: processes are told by it
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
};

HEADROOM_TEST(WorkAtPlaceTest)

} // namespace headroom::testing::work_at_place_test

#include "work_at_place_test.moc"
