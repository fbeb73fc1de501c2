// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/events.h"
#include "core/runs/jobs.h"
#include "core/runs/kept_name.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/runs/tensorboard.h"
#include "tests/support/refusals.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <cmath>
#include <cstring>
#include <fstream>
#include <sys/wait.h>
#include <unistd.h>

namespace headroom::testing::run_folder_test {

namespace fs = std::filesystem;

namespace {

void append(const fs::path& file, const std::string& text) {
    std::ofstream(file, std::ios::app | std::ios::binary) << text;
}

/// Runs `action` in another process, which then dies without cleaning up; its exit status.
int inAnotherProcess(const std::function<int()>& action) {
    const pid_t child = ::fork();
    if (child == 0)
        ::_exit(action());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WEXITSTATUS(status);
}

} // namespace

class RunFolderTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aRunReadsBackAsItWasWritten();
    void aRunSaysHowLongAllItsPartsWorked();
    void runningWithoutAWriterIsInterrupted();
    void oneProcessWrites();
    void runsAreListedAndBadOnesSaid();
    void aResultIsCalledAsItsRun();
    void requestsToStopAreSeenAndCleared();
    void followersSeeWholeLinesOnly();
    void aTornLineIsCutBeforeGoingOn();
    void curvesForgetWhatIsComputedAgain();
    void tensorBoardFramesCarryTheirChecksums();
    void jobsReadBackAndMistakesAreNamed();
};

void RunFolderTest::aRunReadsBackAsItWasWritten() {
    const QTemporaryDir place;
    const fs::path folder = place.path().toStdString();
    RunInfo info;
    info.id = "local-17";
    info.state = RunState::Failed;
    info.error = "The loss is not a number.";
    info.created = info.started = utcNow();
    info.seed = 18446744073709551615u;
    info.decided = {"bf16", "cpu", "abc", 2, 2, 4};
    info.gpus = {"GPU-6f1c", "GPU-77ab"};
    info.data = "/somewhere";
    info.update = 12;
    info.best = {{"update", 10}, {"loss", 2.5}};
    writeRun(folder, info);
    const RunInfo back = readRun(folder);
    QVERIFY(back.state == RunState::Failed);
    QCOMPARE(back.error, info.error);
    QCOMPARE(back.seed, info.seed);
    QVERIFY(back.decided == info.decided);
    QCOMPARE(back.gpus, info.gpus);
    QCOMPARE(back.update, info.update);
    QVERIFY(back.best == info.best);
    QCOMPARE(codeOf([&] { readRun(folder / "none"); }), std::string("run.missing"));
    append(RunPaths{folder}.run(), "}");
    QCOMPARE(codeOf([&] { readRun(folder); }), std::string("run.badJson"));
}

void RunFolderTest::aRunSaysHowLongAllItsPartsWorked() {
    const QTemporaryDir place;
    const fs::path folder = place.path().toStdString();
    RunInfo info;
    info.started = "2026-11-21T10:00:00Z";
    QVERIFY(std::isnan(workedSeconds(info)));
    info.ended = "2026-11-21T10:00:40Z";
    QCOMPARE(workedSeconds(info), 40.0);
    writeRun(folder, info);
    info = readRun(folder);
    countResume(folder, info); // an hour later
    info.started = "2026-11-21T11:00:00Z";
    info.ended.clear();
    // Killed: the last event, at 11:00:20, is the last sign of life.
    append(RunPaths{folder}.events(), "{\"event\":\"step\",\"update\":3,\"time\":1795258820.5}\n");
    writeRun(folder, info);
    info = readRun(folder);
    countResume(folder, info);
    QCOMPARE(info.earlierSeconds, std::int64_t(60 + 1)); // rounded
    info.started = "2026-11-21T12:00:00Z";
    info.ended = "2026-11-21T12:00:05Z";
    writeRun(folder, info);
    QCOMPARE(workedSeconds(readRun(folder)), 66.0);
    // An earlier version did not count.
    std::ifstream file(RunPaths{folder}.run());
    auto document = nlohmann::json::parse(file);
    document.erase("earlierSeconds");
    std::ofstream(RunPaths{folder}.run()) << document;
    QVERIFY(std::isnan(workedSeconds(readRun(folder))));
}

void RunFolderTest::runningWithoutAWriterIsInterrupted() {
    const QTemporaryDir place;
    const fs::path folder = place.path().toStdString();
    {
        const FileLock lock = takeRun(folder);
        writeRun(folder, RunInfo());
        QVERIFY(readRun(folder).state == RunState::Running);
    }
    QVERIFY(readRun(folder).state == RunState::Interrupted);
    QVERIFY(canResume(RunState::Interrupted) && !canResume(RunState::Running));
}

void RunFolderTest::oneProcessWrites() {
    const QTemporaryDir place;
    const fs::path folder = place.path().toStdString();
    {
        const FileLock lock = takeRun(folder);
        QCOMPARE(inAnotherProcess([&] { return codeOf([&] { takeRun(folder); }) == "run.inUse" ? 7 : 1; }),
                 7);
        // Looking at the lock does not take it away.
        QVERIFY(FileLock::isLocked(RunPaths{folder}.lock()));
        QCOMPARE(inAnotherProcess([&] { return codeOf([&] { takeRun(folder); }) == "run.inUse" ? 7 : 1; }),
                 7);
    }
    QCOMPARE(inAnotherProcess([&] {
                 new FileLock(takeRun(folder)); // dies holding it
                 return 7;
             }),
             7);
    QVERIFY(!FileLock::isLocked(RunPaths{folder}.lock()));
    const FileLock lock = takeRun(folder);
}

void RunFolderTest::aResultIsCalledAsItsRun() {
    const QTemporaryDir folder;
    const fs::path run = fs::path(folder.path().toStdString()) / "2026-11-21T10-31_a";
    fs::create_directories(run);
    RunInfo info;
    info.id = run.filename().string();
    info.seed = 7;
    writeRun(run, info);
    QCOMPARE(nameOfResult(run / "model", "demo, layer 6: 29 → 19"), std::string("demo, layer 6: 29 → 19, seed 7"));
    fs::create_directories(nameInput(run).parent_path());
    append(nameInput(run), "demo, digits\n"); // of an architecture that another run has too
    QCOMPARE(nameOfResult(run / "model", "demo"), std::string("demo, digits, seed 7"));
    fs::rename(nameInput(run), startedAsFile(run));
    QCOMPARE(nameOfResult(run / "model", "demo"), std::string("demo, digits, seed 7"));
    QCOMPARE(nameOfResultsDesign(run / "model", "demo"), std::string("demo"));
    append(RunPaths{run}.name(), "  my first run \nand more");
    QCOMPARE(nameOfResult(run / "model", "demo"), std::string("my first run, seed 7"));
    QCOMPARE(nameOfResult(run / "model/", "demo"), std::string("my first run, seed 7"));
    QCOMPARE(nameOfResultsDesign(run / "model/", "demo"), std::string("my first run"));
    QCOMPARE(nameOfResultsDesign(run / "other", "demo"), std::string());
    QCOMPARE(nameOfResult(run / "other", "demo"), std::string());
    QCOMPARE(nameOfResult(run.parent_path() / "nowhere/model", "demo"), std::string());
}

void RunFolderTest::runsAreListedAndBadOnesSaid() {
    const QTemporaryDir place;
    const fs::path runs = place.path().toStdString();
    for (const char* name : {"b", "a", "c", "queue"})
        fs::create_directories(runs / name);
    writeRun(runs / "b", RunInfo());
    writeRun(runs / "a", RunInfo());
    append(runs / "c" / "run.json", "{");
    std::vector<std::string> problems;
    const auto found = listRuns(runs, &problems);
    QCOMPARE(found.size(), std::size_t(2));
    QCOMPARE(found[0].id + found[1].id, std::string("ab"));
    QCOMPARE(problems.size(), std::size_t(1));
    QVERIFY(problems[0].find("c/run.json") != std::string::npos);
}

void RunFolderTest::requestsToStopAreSeenAndCleared() {
    const QTemporaryDir place;
    const fs::path folder = place.path().toStdString();
    QVERIFY(requestOf(folder) == RunRequest::None);
    askToStop(folder);
    QVERIFY(requestOf(folder) == RunRequest::Stop);
    clearRequest(folder);
    QVERIFY(requestOf(folder) == RunRequest::None);
    append(RunPaths{folder}.control(), "rubbish");
    QVERIFY(requestOf(folder) == RunRequest::None);
}

void RunFolderTest::followersSeeWholeLinesOnly() {
    const QTemporaryDir place;
    const fs::path file = place.filePath("events.jsonl").toStdString();
    EventFollower follower(file);
    QVERIFY(follower.poll().empty());
    append(file, "{\"event\": \"step\", \"update\": 1}\n{\"event\": \"st");
    QCOMPARE(follower.poll().size(), std::size_t(1));
    QVERIFY(follower.poll().empty());
    append(file, "ep\", \"update\": 2}\nrubbish\n[1]\n{\"event\": \"step\", \"update\": 3}\n");
    const auto events = follower.poll();
    QCOMPARE(events.size(), std::size_t(2));
    QCOMPARE(events[0]["update"].get<int>(), 2);
    QCOMPARE(follower.badLines(), std::int64_t(2));
}

void RunFolderTest::aTornLineIsCutBeforeGoingOn() {
    const QTemporaryDir place;
    const fs::path file = place.filePath("events.jsonl").toStdString();
    append(file, "{\"update\": 1}\n{\"update\": 2}\n{\"upd" + std::string(10000, 'x'));
    EventWriter(file).add({{"update", 3}, {"loss", std::nan("")}});
    EventFollower follower(file);
    const auto events = follower.poll();
    QCOMPARE(events.size(), std::size_t(3));
    QCOMPARE(follower.badLines(), std::int64_t(0));
    QCOMPARE(events[2]["update"].get<int>(), 3);
    QVERIFY(events[2]["loss"].is_null());
    QVERIFY(events[2]["time"].is_number());
}

void RunFolderTest::curvesForgetWhatIsComputedAgain() {
    RunCurves curves;
    for (int update = 1; update <= 5; ++update)
        curves.add({{"event", "step"}, {"update", update}, {"loss", 10 - update}, {"time", update}});
    curves.add({{"event", "validation"}, {"update", 5}, {"wer", 50.0}});
    curves.add({{"event", "resumed"}, {"update", 3}});
    curves.add({{"event", "step"}, {"update", 4}, {"loss", 6.5}});
    const auto& loss = curves.series().at("loss");
    QCOMPARE(loss.size(), std::size_t(4));
    QCOMPARE(loss.back().value, 6.5);
    QCOMPARE(loss.front().time, 1.0);
    QVERIFY(curves.series().at("validation.wer").empty());
}

void RunFolderTest::tensorBoardFramesCarryTheirChecksums() {
    // CRC-32C of "123456789" is e3069283; rotated by 15 and offset.
    const std::uint32_t crc = 0xe3069283u;
    QCOMPARE(maskedCrc32c("123456789"), ((crc >> 15) | (crc << 17)) + 0xa282ead8u);

    const QTemporaryDir place;
    const fs::path folder = place.path().toStdString();
    { TensorBoardWriter(folder, 0).scalar("loss", 2.5, 300); }
    const fs::path file = fs::directory_iterator(folder)->path();
    QVERIFY(file.filename().string().rfind("events.out.tfevents.", 0) == 0);
    const std::string bytes = readSmallFile(file, "test");
    std::size_t at = 0;
    std::vector<std::string> records;
    while (at < bytes.size()) {
        std::uint64_t length = 0;
        std::uint32_t lengthCrc = 0, dataCrc = 0;
        std::memcpy(&length, bytes.data() + at, 8);
        std::memcpy(&lengthCrc, bytes.data() + at + 8, 4);
        records.push_back(bytes.substr(at + 12, length));
        std::memcpy(&dataCrc, bytes.data() + at + 12 + length, 4);
        QCOMPARE(lengthCrc, maskedCrc32c(bytes.substr(at, 8)));
        QCOMPARE(dataCrc, maskedCrc32c(records.back()));
        at += 16 + length;
    }
    QCOMPARE(records.size(), std::size_t(2));
    QVERIFY(records[0].find("brain.Event:2") != std::string::npos);
    // step 300 as a varint, then Summary{Value{tag "loss", simple_value 2.5f}}
    const std::string expected("\x10\xac\x02\x2a\x0d\x0a\x0b\x0a\x04loss\x15\x00\x00\x20\x40", 18);
    QCOMPARE(records[1].substr(9), expected);
}

void RunFolderTest::jobsReadBackAndMistakesAreNamed() {
    const QTemporaryDir place;
    const fs::path runs = place.path().toStdString();
    Job job;
    job.run = "local-17";
    job.architecture = "a.json";
    job.recipe = "r.json";
    job.data = "/d";
    job.seed = 3;
    job.set = {"length.maxUpdates=5"};
    writeJob(queueFolder(runs) / "0002.json", job);
    Job resumed;
    resumed.run = runs / "other";
    resumed.resume = true;
    writeJob(queueFolder(runs) / "0001.json", resumed);
    const auto waiting = waitingJobs(runs);
    QCOMPARE(waiting.size(), std::size_t(2));
    QVERIFY(readJob(waiting[0]).resume);
    const Job back = readJob(waiting[1]);
    QVERIFY(back.run == job.run && back.data == job.data && back.seed == job.seed && back.set == job.set);
    append(queueFolder(runs) / "0003.json",
           R"({"format": "headroom/job", "version": 1, "run": "x", "recipe": "r", "data": "d"})");
    QCOMPARE(codeOf([&] { readJob(queueFolder(runs) / "0003.json"); }), std::string("job.value"));
    append(queueFolder(runs) / "0004.json", R"({"format": "headroom/job", "version": 1, "runs": "x"})");
    QCOMPARE(codeOf([&] { readJob(queueFolder(runs) / "0004.json"); }), std::string("job.value"));
    QVERIFY(!queueIsRunning(runs));
}

HEADROOM_TEST(RunFolderTest)

} // namespace headroom::testing::run_folder_test

#include "run_folder_test.moc"
