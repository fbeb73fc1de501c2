// SPDX-License-Identifier: GPL-3.0-or-later
// The runs at a place, whoever started them: listed, and watched by the queue of another runs folder, which stands for another machine.
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"
#include "tests/training/places/trainings_there.h"

namespace headroom::testing::runs_there_test {

namespace fs = std::filesystem;
using nlohmann::json;

class RunsThereTest : public QObject, TrainingsThere {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = setUp("a “place” of runs"); !reason.isEmpty())
            QSKIP(qPrintable(reason));
    }
    void cleanup() { QVERIFY(nothingIsLeftThere()); }

    void runsThereAreListedAndWatched() {
        const Finished none = runWorkerProgram({"places", "runs", "loop"});
        QVERIFY2(none.status == 0 && none.says("There are no runs at loop"), none.err.c_str());
        const Finished first = runWorkerProgram(train("done", 8));
        QVERIFY2(first.status == 0, first.err.c_str());
        QProcess goesOn, waits;
        goesOn.start(kWorker, train("goes on", 1'000'000));
        QVERIFY(QTest::qWaitFor([&] { return stepsHere("goes on") > 3; }, kPatience));
        waits.start(kWorker, train("waits", 8));
        QVERIFY(QTest::qWaitFor([&] { return contact("waits") == RunPlace::Contact::Waiting; }, kPatience));

        const Finished listed = runWorkerProgram({"places", "runs", "loop", "--json"});
        QVERIFY2(listed.status == 0, listed.err.c_str());
        std::map<std::string, json> runs;
        const json document = listed.document();
        for (const json& run : document["runs"])
            runs[run["name"].get<std::string>()] = run;
        QCOMPARE(runs.size(), std::size_t(3));
        QCOMPARE(runs["done"]["state"].get<std::string>(), std::string("finished"));
        QCOMPARE(runs["done"]["update"].get<int>(), 8);
        QCOMPARE(runs["done"]["title"].get<std::string>(), std::string("tiny"));
        QCOMPARE(runs["goes on"]["state"].get<std::string>(), std::string("running"));
        QVERIFY(runs["goes on"]["update"].get<int>() > 3 && runs["goes on"]["maxUpdates"] == 1'000'000);
        QCOMPARE(runs["waits"]["state"].get<std::string>(), std::string("waiting"));

        aWatchThatIsTakenBackLeavesTheRunAlone("waits", true);
        aWatchThatIsTakenBackLeavesTheRunAlone("goes on", false);
        watchFromAnotherMachine();
        for (QProcess* process : {&goesOn, &waits})
            QVERIFY(process->waitForFinished(kPatience));
        compareFolders("goes on", false);
    }

private:
    /// The job is removed when the run was found, or while it is looked for. It is somebody else's run: it is not stopped there.
    void aWatchThatIsTakenBackLeavesTheRunAlone(const std::string& name, bool found) {
        const fs::path other = m_ssh->folder() / "taken back";
        Job job;
        job.run = other / name;
        job.place = "loop";
        job.watch = true;
        const fs::path file = nextJobFile(other, job.run);
        writeJob(file, job);
        QProcess queue;
        queue.start(kWorker, {"queue", QString::fromStdString(other.string()), "--stay"});
        QVERIFY(QTest::qWaitFor([&] {
            const auto place = readRunPlace(job.run);
            return place && (place->begun || !found);
        }, kPatience));
        fs::remove(file);
        QVERIFY(queue.waitForFinished(kPatience));
        QVERIFY2(!fs::exists(job.run / "control.json"), "nobody asked the run to stop");
        QVERIFY(!found || !fs::exists(job.run));
        QVERIFY(!fs::exists(failedJobs(other)) || fs::is_empty(failedJobs(other)));
        QVERIFY(requestOf(there(name)) == RunRequest::None);
        if (found) {
            QVERIFY(jobOfRun(there(name).parent_path(), there(name)));
            QVERIFY(contact(name) == RunPlace::Contact::Waiting);
            return;
        }
        const auto steps = stepsHere(name);
        QVERIFY(QTest::qWaitFor([&] { return stepsHere(name) > steps + 3; }, kPatience));
    }

    /// A window's queue: a run that goes on is followed and stopped from there, one that has finished arrives whole, and one that is not
    /// there is said.
    void watchFromAnotherMachine() {
        const fs::path other = m_ssh->folder() / "other";
        for (const char* name : {"goes on", "done", "nothing"}) {
            Job job;
            job.run = other / name;
            job.place = "loop";
            job.watch = true;
            writeJob(nextJobFile(other, job.run), job);
        }
        QProcess queue;
        queue.start(kWorker, {"queue", QString::fromStdString(other.string()), "--stay"});
        QVERIFY(QTest::qWaitFor([&] { return stepsIn(other / "goes on") > 3; }, kPatience));
        QVERIFY(readRun(other / "goes on").state == RunState::Running);
        askToStop(other / "goes on"); // who watches may ask
        QVERIFY(queue.waitForFinished(kPatience));
        QVERIFY(readRun(other / "goes on").state == RunState::Stopped);
        QVERIFY(readRun(other / "done").state == RunState::Finished);
        QCOMPARE(QString::fromStdString(firstDifference(other / "done", there("done"), true)), QString());
        QVERIFY(waitingJobs(other).empty());
        int refused = 0;
        for (const auto& entry : fs::directory_iterator(failedJobs(other))) {
            const std::string error = readStrictObject(entry.path(), "test")["error"].get<std::string>();
            QVERIFY2(error.find("There is no run nothing at loop") != std::string::npos, error.c_str());
            ++refused;
        }
        QCOMPARE(refused, 1);
        QVERIFY(!fs::exists(other / "nothing"));
    }
};

HEADROOM_TEST(RunsThereTest)

} // namespace headroom::testing::runs_there_test

#include "runs_there_test.moc"
