// SPDX-License-Identifier: GPL-3.0-or-later
// What Slurm's programs say, and the script that is handed to them. Stand-ins answer on PATH.
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"
#include "tests/training/places/slurm_stand_in.h"
#include "training/places/launch_here.h"
#include "training/places/slurm.h"

#include <QtTest/QtTest>

#include <csignal>

namespace headroom::testing::slurm_test {

namespace fs = std::filesystem;
using namespace training;

class SlurmTest : public QObject, SlurmStandIn {
    Q_OBJECT
private Q_SLOTS:
    void init() { standIn(); }
    void cleanupTestCase() { giveBack(); }

    void squeueIsParsed() {
        const auto jobs = parseQueueList(
            "48213|PENDING|Priority|2026-11-22T14:20:00|\n"
            "48190|RUNNING|None|2026-11-22T10:00:00|gpu-07\nrubbish\n|||\n12_3|PENDING|Resources|N/A|\n");
        QCOMPARE(jobs.size(), std::size_t(3));
        QCOMPARE(waitingSentence(jobs[0]),
                 std::string("Slurm job 48213 waits (Priority), starts about 2026-11-22 14:20."));
        QCOMPARE(waitingSentence(jobs[1]), std::string());
        QCOMPARE(waitingSentence(jobs[2]), std::string("Slurm job 12_3 waits (Resources)."));
        QVERIFY(waitingSentence({"7", "PENDING", "PartitionDown", "", ""}).find("the partition is closed") !=
                std::string::npos);
    }
    void everyEndIsASentence_data() {
        QTest::addColumn<QString>("state");
        QTest::addColumn<QString>("says");
        QTest::newRow("cancelled") << "CANCELLED by 1000" << "was cancelled";
        QTest::newRow("time limit") << "TIMEOUT" << "time limit";
        QTest::newRow("node") << "NODE_FAIL" << "lost its node";
        QTest::newRow("memory") << "OUT_OF_MEMORY" << "--mem";
        QTest::newRow("failed") << "FAILED" << "slurm-7.txt";
        QTest::newRow("preempted") << "PREEMPTED" << "preempted";
    }
    void everyEndIsASentence() {
        QFETCH(QString, state);
        QFETCH(QString, says);
        const std::string sentence = endSentence("7", state.toStdString());
        QVERIFY2(sentence.find(says.toStdString()) != std::string::npos, sentence.c_str());
        QCOMPARE(endSentence("7", "COMPLETED"), std::string());
    }
    void theScriptAsksForWhatThePlaceSays() {
        const std::string script =
            sbatchScript(cluster(), "local 5–21, seed 2", {"/w/headroom-worker", "train", "--data", "it's"});
        for (const char* line : {"#!/bin/bash\n", "\n#SBATCH --partition=gpu\n", "\n#SBATCH --nodes=2\n",
                                 "\n#SBATCH --gpus-per-node=4\n", "\n#SBATCH --time=08:00:00\n",
                                 "\n#SBATCH --account=speech\n", "\n#SBATCH --constraint=a100\n",
                                 "\nsrun --kill-on-bad-exit /w/headroom-worker train --data 'it'\\''s' &\n"})
            QVERIFY2(script.find(line) != std::string::npos, (line + script).c_str());
        QVERIFY(script.find("--job-name=local-5") != std::string::npos);
        // The options end where the commands begin, and bash accepts the whole.
        QVERIFY(script.rfind("#SBATCH") < script.find("srun"));
        QProcess bash;
        bash.start("bash", {"-n"});
        bash.write(QByteArray::fromStdString(script));
        bash.closeWriteChannel();
        QVERIFY(bash.waitForFinished(120000));
        QCOMPARE(bash.exitCode(), 0);
    }
    void aRankIsStartedOnEachGpu() {
        const auto script = [](const Place& place, int ranks) {
            return sbatchScript(place, "x", {"/w/headroom-worker", "train"}, ranksPerNode(place, ranks));
        };
        const auto has = [](const std::string& text, const char* line) { return text.find(line) != std::string::npos; };
        Place place = cluster();
        QVERIFY(has(script(place, 0), "\n#SBATCH --ntasks-per-node=4\n"));
        place.slurm.nodes = 1; // several ranks on one node need srun, too
        QVERIFY(has(script(place, 0), "\n#SBATCH --ntasks-per-node=4\n") && has(script(place, 0), "\nsrun --kill-on-bad-exit /w/"));
        // srun is told how many processors a rank has, before it is started.
        const std::string text = script(place, 0);
        QVERIFY(text.find("export SRUN_CPUS_PER_TASK") < text.find("\nsrun"));
        place.device = "cpu";
        QVERIFY(!has(script(place, 0), "--ntasks-per-node") && !has(script(place, 0), "srun"));
        QVERIFY(has(script(place, 2), "\n#SBATCH --ntasks-per-node=2\n")); // a number that was named
        place.device = "auto";
        place.slurm.gpus = 1;
        QVERIFY(!has(script(place, 0), "--ntasks-per-node") && !has(script(place, 0), "srun"));
        QVERIFY(has(arrayScript(cluster(), "x", {"/r/1", "/r/2"}, ranksPerNode(cluster(), 0)), "\n#SBATCH --ntasks-per-node=4\n"));
        try {
            ranksPerNode(cluster(), 3);
            QFAIL("three ranks on two nodes");
        } catch (const Error& error) {
            QCOMPARE(std::string(error.what()), std::string("3 ranks cannot be shared equally by the 2 nodes of cluster. Choose a "
                                                            "multiple of 2, or another number of nodes in Places."));
        }
    }
    void aRunIsTrainedOnWhatItsJobAsksFor() {
        const fs::path runs = fs::path(m_folder->path().toStdString()) / "runs";
        const auto command = [&](const char* run, const Place& place, int ranks) {
            slurmLauncher(runs / run, place, ranks)->begin({"{}", "{}", "/data/corpus", ""});
            return readSmallFile(runs / run / "job.sh", "test");
        };
        Place place = cluster();
        QVERIFY2(command("gpus", place, 0).find(" --device cuda --resume") != std::string::npos, command("gpus", place, 0).c_str());
        place.device = "cpu";
        const std::string script = command("cpu", place, 4);
        QVERIFY2(script.find(" --device cpu --resume") != std::string::npos && script.find("--ntasks-per-node=2") != std::string::npos,
                 script.c_str());
        QVERIFY(script.find("--ranks") == std::string::npos); // srun says it
        place.device = "auto";
        place.slurm.gpus = 0;
        QVERIFY(command("auto", place, 0).find(" --device auto --resume") != std::string::npos);
    }
    void theScriptSavesBeforeTheLimitAndGoesOn_data() {
        QTest::addColumn<int>("signal");
        QTest::addColumn<QString>("line");
        QTest::newRow("its own") << SIGUSR1 << "--mem=1G";
        QTest::newRow("the configured one") << SIGUSR2 << "--signal=USR2@300";
    }
    void theScriptSavesBeforeTheLimitAndGoesOn() {
        QFETCH(int, signal);
        QFETCH(QString, line);
        // The run of this script ends like one that was told to save itself.
        program("worker",
                "trap 'echo \"{ \\\"state\\\": \\\"stopped\\\" }\" > run.json; exit 0' TERM; touch started; "
                "while :; do sleep 0.05; done");
        program("scontrol", "echo \"$@\" > requeued");
        Place place = cluster();
        place.slurm.nodes = 1;
        place.slurm.lines = {line.toStdString()};
        const QString file = m_folder->filePath("job.sh");
        writeFile(file, QByteArray::fromStdString(
                            sbatchScript(place, "x", {m_folder->filePath("bin/worker").toStdString()})));
        QProcess job;
        job.setWorkingDirectory(m_folder->path());
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("SLURM_JOB_ID", "48213");
        job.setProcessEnvironment(environment);
        job.start("bash", {file});
        QVERIFY(QTest::qWaitFor([&] { return QFile::exists(m_folder->filePath("started")); }, 120000));
        ::kill(static_cast<pid_t>(job.processId()), signal);
        QVERIFY(job.waitForFinished(120000));
        QFile requeued(m_folder->filePath("requeued"));
        QVERIFY(requeued.open(QIODevice::ReadOnly));
        QCOMPARE(requeued.readAll(), QByteArray("requeue 48213\n"));
        QCOMPARE(job.exitCode(), 0);
    }
    void aRunIsSentOnceAndItsStateIsAsked() {
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "one run";
        const auto launcher = slurmLauncher(run, cluster(), 0);
        launcher->begin({"{}", "{}", "/data/corpus", ""});
        QVERIFY(fs::exists(run / "job.sh"));
        QCOMPARE(readStrictObject(run / "slurm.json", "test")["job"].get<std::string>(),
                 std::string("48213"));
        const std::string words = readSmallFile(m_folder->filePath("bin/sbatch.words").toStdString(), "test");
        QCOMPARE(words, "--parsable\n--chdir=" + run.string() + "\n" + (run / "job.sh").string() + "\n");
        program("sbatch", "echo twice >&2; exit 1");
        launcher->begin({"{}", "{}", "/data/corpus", ""}); // asked again after a lost connection
        QVERIFY(launcher->status().waits);                 // new: squeue need not list it yet
        program("squeue", "echo '48213|PENDING|Resources|N/A|'");
        fs::remove(queueList());
        QCOMPARE(launcher->status().sentence, std::string("Slurm job 48213 waits (Resources)."));
        QVERIFY(launcher->status().waits);
        program("squeue", "echo counted >> \"$0.calls\"");
        launcher->status(); // within 10 s nothing is asked
        QVERIFY(!QFile::exists(m_folder->filePath("bin/squeue.calls")));
    }
    void seedsAreOneArray() {
        const fs::path runs = fs::path(m_folder->path().toStdString()) / "runs";
        const fs::path first = runs / "seed 1", second = runs / "it's seed 2";
        RunInputs inputs{"{}", R"({"seed": 1})", "/data/corpus", ""};
        inputs.array = {{"it's seed 2", R"({"seed": 2})"}};
        const auto launcher = slurmLauncher(first, cluster(), 0);
        launcher->begin(inputs);
        QCOMPARE(readSmallFile(m_folder->filePath("bin/sbatch.words").toStdString(), "test"),
                 "--parsable\n--chdir=" + first.string() + "\n" + (first / "array.sh").string() + "\n");
        QCOMPARE(readStrictObject(first / "slurm.json", "test")["job"].get<std::string>(), std::string("48213_0"));
        QCOMPARE(readStrictObject(second / "slurm.json", "test")["job"].get<std::string>(), std::string("48213_1"));
        QCOMPARE(readSmallFile(second / "recipe.json", "test"), std::string(R"({"seed": 2})"));
        program("sbatch", "echo twice >&2; exit 1");
        launcher->begin(inputs); // asked again after a lost connection
        program("squeue", "printf '%s ' \"$@\" > \"$0.words\"; echo '48213_1|PENDING|Priority|N/A|'");
        fs::remove(queueList());
        QCOMPARE(slurmLauncher(second, cluster(), 0)->status().sentence, std::string("Slurm job 48213_1 waits (Priority)."));
        const std::string asked = readSmallFile(m_folder->filePath("bin/squeue.words").toStdString(), "test");
        QVERIFY2(asked.find("--array ") != std::string::npos, asked.c_str()); // else elements that wait are one line
        // An element goes into its own folder, and is the job of that run.
        writeFile(QString::fromStdString((second / "job.sh").string()), "echo \"in $PWD\"; pwd > where\n");
        QProcess element;
        element.setWorkingDirectory(QString::fromStdString(first.string()));
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("SLURM_ARRAY_TASK_ID", "1");
        environment.insert("SLURM_ARRAY_JOB_ID", "48213");
        element.setProcessEnvironment(environment);
        element.start("bash", {"array.sh"});
        QVERIFY(element.waitForFinished(120000));
        QCOMPARE(readSmallFile(second / "where", "test"), second.string() + "\n");
        QCOMPARE(readSmallFile(second / "slurm-48213_1.txt", "test"), "in " + second.string() + "\n");
        const std::string script = readSmallFile(first / "array.sh", "test");
        for (const char* line : {"\n#SBATCH --array=0-1\n", "\n#SBATCH --partition=gpu\n", "\n#SBATCH --constraint=a100\n"})
            QVERIFY2(script.find(line) != std::string::npos, script.c_str());
    }
    /// squeue may not list a job yet in its first half minute; of a job that it has listed, its silence is the end.
    void aJobThatWasListedAndIsNoLongerHasEnded() {
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "one run";
        const std::string now = std::to_string(QDateTime::currentSecsSinceEpoch());
        writeFile(QString::fromStdString((run / "slurm.json").string()), QByteArray::fromStdString("{\"job\": \"48213_1\", \"submitted\": " + now + "}"));
        const auto launcher = slurmLauncher(run, cluster(), 0);
        QCOMPARE(launcher->status().sentence, std::string("Slurm job 48213_1 was submitted."));
        program("squeue", "echo '48213_1|PENDING|Priority||'");
        fs::remove(queueList()); // the answer of before
        QCOMPARE(launcher->status().sentence, std::string("Slurm job 48213_1 waits (Priority)."));
        program("squeue", "exit 0");
        fs::remove(queueList());
        const auto status = launcher->status();
        QVERIFY2(!status.waits && status.sentence.find("Slurm job 48213_1 was cancelled before it began.") == 0, status.sentence.c_str());
        QVERIFY(slurmLauncher(run, cluster(), 0)->status().waits); // who has not seen it gives it its time
    }

    void anElementThatSlurmForgotIsHandedInAgain() {
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "one run";
        writeFile(QString::fromStdString((run / "slurm.json").string()), R"({"job": "48213_1", "submitted": 1000})");
        const auto launcher = slurmLauncher(run, cluster(), 0);
        const auto status = launcher->status();
        QVERIFY2(!status.waits && status.sentence.find("Slurm job 48213_1 was cancelled before it began.") == 0, status.sentence.c_str());
        launcher->resume(); // no script: nothing to hand in
        QVERIFY(!QFile::exists(m_folder->filePath("bin/sbatch.words")));
        writeFile(QString::fromStdString((run / "job.sh").string()), "true\n");
        launcher->resume();
        QCOMPARE(readStrictObject(run / "slurm.json", "test")["job"].get<std::string>(), std::string("48213"));
    }
    void anArrayHoldsOnlyRunsOfItsFolder() {
        RunInputs inputs{"{}", "{}", "/data/corpus", ""};
        inputs.array = {{"../elsewhere", "{}"}};
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "seed 1";
        QVERIFY_THROWS_EXCEPTION(Error, slurmLauncher(run, cluster(), 0)->begin(inputs));
        QVERIFY(!fs::exists(run / "slurm.json"));
    }
    void aJobThatIsGoneIsLookedUp() {
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "one run";
        writeFile(QString::fromStdString((run / "slurm.json").string()),
                  R"({"job": "48213", "submitted": 1000})");
        program("scontrol", "echo 'JobId=48213 JobName=x JobState=NODE_FAIL Reason=None'");
        auto status = slurmLauncher(run, cluster(), 0)->status();
        QVERIFY2(!status.waits && status.sentence.find("lost its node") != std::string::npos,
                 status.sentence.c_str());
        program("sacct", "echo '48213|TIMEOUT'"); // the accounting knows better
        status = slurmLauncher(run, cluster(), 0)->status();
        QVERIFY2(status.sentence.find("lost its node") != std::string::npos, status.sentence.c_str()); // within 10 s it is not asked
        fs::remove(stateList());
        status = slurmLauncher(run, cluster(), 0)->status();
        QVERIFY2(status.sentence.find("time limit") != std::string::npos, status.sentence.c_str());
    }
    void oneCallAsksForTheStatesOfAllJobs() {
        const fs::path runs = fs::path(m_folder->path().toStdString()) / "runs";
        for (const char* id : {"7", "8", "9_1"}) {
            fs::create_directories(runs / id);
            writeFile(QString::fromStdString((runs / id / "slurm.json").string()), QByteArray("{\"job\": \"") + id + "\", \"submitted\": 1000}");
        }
        const QByteArray counts = "echo \"$*\" >> \"$0.calls\"; ";
        program("sacct", counts + "printf '7|TIMEOUT\\n8|RUNNING\\n'");
        program("scontrol", counts + "echo 'JobId=12 ArrayJobId=9 ArrayTaskId=1 JobName=x JobState=NODE_FAIL Reason=None'");
        const auto stateOf = [&](const char* id) { return slurmLauncher(runs / id, cluster(), 0)->status(); };
        QVERIFY(stateOf("7").sentence.find("time limit") != std::string::npos);
        for (const char* id : {"8", "9_1"}) // what came after is asked for with the next call
            QVERIFY(stateOf(id).waits && stateOf(id).sentence.empty());
        fs::last_write_time(stateList(), fs::file_time_type::clock::now() - std::chrono::seconds(11));
        QVERIFY(stateOf("9_1").sentence.find("lost its node") != std::string::npos);
        QVERIFY(stateOf("8").waits); // it went on then
        for (const char* id : {"7", "8", "9_1"})
            stateOf(id);
        QCOMPARE(QString::fromStdString(readSmallFile(m_folder->filePath("bin/sacct.calls").toStdString(), "test")).count('\n'), 2);
        const std::string asked = readSmallFile(m_folder->filePath("bin/sacct.calls").toStdString(), "test");
        for (const char* id : {"7", "8", "9_1"})
            QVERIFY2(asked.substr(asked.find('\n')).find(id) != std::string::npos, asked.c_str());
        QCOMPARE(readSmallFile(m_folder->filePath("bin/scontrol.calls").toStdString(), "test"), std::string("--oneliner show job 9_1\n"));
    }
    void aQueueThatDoesNotAnswerIsNoEnd() {
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "one run";
        writeFile(QString::fromStdString((run / "slurm.json").string()),
                  R"({"job": "48213", "submitted": 1000})");
        program("squeue", "echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1");
        const auto status = slurmLauncher(run, cluster(), 0)->status();
        QVERIFY2(status.waits &&
                     status.sentence.find("Unable to contact slurm controller") != std::string::npos,
                 status.sentence.c_str());
    }
    /// The stand-in of a controller that hangs: the connection lives on, the run's state is not guessed, and what is said is right
    /// as soon as it answers.
    void aQueueThatHangsIsSaidAndIsNoSilence() {
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "one run";
        QFile::remove(QString::fromStdString(queueList().string()));
        RunInfo info;
        info.id = "one run";
        info.state = RunState::Stopped;
        writeRun(run, info);
        writeFile(QString::fromStdString((run / "slurm.json").string()), R"({"job": "48213", "submitted": 1000})");
        writeFile(QString::fromStdString(RunPaths{run}.events().string()), "{\"event\":\"step\",\"update\":1}\n");
        program("squeue", "exec sleep 1000");
        QProcess follower;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HEADROOM_SQUEUE_SECONDS", "1");
        environment.insert("HEADROOM_SQUEUE_PATIENCE", "8");
        follower.setProcessEnvironment(environment);
        follower.start(kWorker, {"places", "follow", QString::fromStdString(run.string())});
        const nlohmann::json first{{"have", nlohmann::json::object()}, {"parts", nlohmann::json::object()}, {"place", toJson(cluster())}};
        follower.write(QByteArray::fromStdString(first.dump()) + "\n");
        QByteArray said;
        const auto says = [&](const QByteArray& text) {
            said += follower.readAllStandardOutput();
            return said.contains(text);
        };
        const QByteArray unknown = "squeue did not answer within 8 s. The state of job 48213 is unknown until it answers.";
        QVERIFY2(QTest::qWaitFor([&] { return says(unknown); }, 120000), said.constData());
        QVERIFY2(said.count("\"alive\"") >= 3 && said.lastIndexOf("\"alive\"", said.indexOf(unknown)) > 0, said.constData());
        program("squeue", "echo '48213|PENDING|BeginTime|N/A|'");
        QVERIFY2(QTest::qWaitFor([&] { return says("Slurm job 48213 waits (BeginTime)."); }, 120000), said.constData());
        // Why it waits comes after what the run wrote, and before the word that it has stopped: else it would seem to have ended.
        QVERIFY2(said.contains("events.jsonl") && said.lastIndexOf("events.jsonl") < said.indexOf(unknown), said.constData());
        QVERIFY2(said.indexOf("\"run.json\"") > said.indexOf(unknown), said.constData());
        QVERIFY2(!said.contains("\"end\""), said.constData());
        follower.closeWriteChannel();
        QVERIFY(follower.waitForFinished(60000));
    }
    void aJobThatEndedBeforeItsRunBeganIsReplaced() {
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "one run";
        writeFile(QString::fromStdString((run / "slurm.json").string()), R"({"job": "17", "submitted": 1000})");
        program("squeue", "echo '17|PENDING|Priority|N/A|'");
        slurmLauncher(run, cluster(), 0)->begin({"{}", "{}", "/data/corpus", ""}); // asked again after a lost connection
        QVERIFY(!QFile::exists(m_folder->filePath("bin/sbatch.words")));
        program("squeue", "exit 0");
        program("scontrol", "echo 'JobId=17 JobState=CANCELLED Reason=None'");
        fs::remove(queueList());
        slurmLauncher(run, cluster(), 0)->begin({"{}", "{}", "/data/corpus", ""});
        QCOMPARE(readStrictObject(run / "slurm.json", "test")["job"].get<std::string>(), std::string("48213"));
    }
};

HEADROOM_TEST(SlurmTest)

} // namespace headroom::testing::slurm_test

#include "slurm_test.moc"
