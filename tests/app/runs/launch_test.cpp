// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/worker_command.h"
#include "app/runs/removed_job.h"
#include "app/runs/run_reading.h"
#include "app/workspaces/train/launch_facts.h"
#include "core/commands/worker_commands.h"
#include "core/places/run_place.h"
#include "core/runs/jobs.h"
#include "tests/app/runs/train_workshop.h"
#include "tests/support/runner.h"

#include <QTest>

#include <chrono>

namespace headroom::testing::launch_test {

using namespace headroom::app;
using headroom::testing::TrainWorkshop;
namespace fs = std::filesystem;

class LaunchTest : public QObject {
    Q_OBJECT

    /// As the queue does with a job that has failed.
    static fs::path putAside(const TrainWorkshop& shop, const fs::path& waiting) {
        const fs::path failed = failedJobs(shop.runs()) / waiting.filename();
        Job job = readJob(waiting);
        job.error = "The corpus does not exist.";
        writeJob(failed, job);
        fs::remove(waiting);
        return failed;
    }

private Q_SLOTS:
    void theTimeIsThatOfTheLastRunAlike() {
        TrainWorkshop shop;
        const auto timed = [&](const char* id, const char* ended, const std::string& data) {
            RunInfo info = readRun(shop.run(id));
            info.started = "2026-11-21T10:00:00Z";
            info.ended = ended;
            info.data = data;
            writeRun(shop.runs() / id, info);
            return readRunItem(shop.runs() / id);
        };
        Launch launch = shop.launch();
        launch.recipe.length.maxUpdates = 400; // those runs took 40
        const std::string here = launch.data.string();
        QVERIFY(!estimateTime({}, launch));
        QVERIFY(!estimateTime({timed("other", "2026-11-21T10:01:00Z", "/elsewhere")}, launch));
        const auto found = estimateTime(
            {timed("new", "2026-11-21T10:01:00Z", here), timed("old", "2026-11-21T10:09:00Z", here)}, launch);
        QVERIFY(found);
        QCOMPARE(found->seconds, 600.0);
        auto there = timed("there", "2026-11-21T10:00:10Z", here);
        there.place = QStringLiteral("gpu-1"); // which is faster
        QVERIFY(!estimateTime({there}, launch));
        launch.place = "gpu-1";
        QCOMPARE(estimateTime({there, timed("new", "2026-11-21T10:01:00Z", here)}, launch)->seconds, 100.0);
        launch.place.clear();
        launch.device = "cuda:0"; // other devices of this machine have other speeds
        auto onGpu = timed("gpu", "2026-11-21T10:00:20Z", here);
        onGpu.info.decided.device = "cuda:0";
        QCOMPARE(estimateTime({timed("new", "2026-11-21T10:01:00Z", here), onGpu}, launch)->seconds, 200.0);
        launch.device = "all";
        QVERIFY(!estimateTime({onGpu}, launch));
        onGpu.info.decided.ranks = 4;
        QCOMPARE(estimateTime({onGpu}, launch)->seconds, 200.0);
        launch.device.clear();
        QVERIFY(!estimateTime({onGpu}, launch));
        launch.recipe.length.maxEpochs = 2; // two epochs of 10 updates: not 400
        const double perUpdate = static_cast<double>(launch.recipe.data.maxBatchFrames * launch.recipe.optimiser.accumulate);
        const CorpusExtent corpus{100, 10 * perUpdate};
        QCOMPARE(estimateTime({timed("new", "2026-11-21T10:01:00Z", here)}, launch, corpus)->seconds, 600.0 * 20 / 400);
        launch.recipe.data.maxBatchFrames *= 2; // other batches: nothing is known
        QVERIFY(!estimateTime({timed("new", "2026-11-21T10:01:00Z", here)}, launch));
    }

    void anExperimentsTimeIsItsFramesAtTheSpeedOfARunAlike() {
        TrainWorkshop shop;
        PlannedStep training;
        training.architecture = TrainWorkshop::tiny();
        const TrainingWork work{900, 100, 90000, false};
        QVERIFY(!estimateTime({}, training, work));
        const widgets::RunItem run = readRunItem(shop.run("alike")); // 900 frames a second
        QCOMPARE(estimateTime({run}, training, work), std::optional(100.0));
        QVERIFY(!estimateTime({run}, training, work, {}, "cuda:0")); // a run on the CPU says nothing of a GPU
        auto onGpu = run;
        onGpu.info.decided.device = "cuda:0";
        QVERIFY(!estimateTime({onGpu}, training, work));
        QCOMPARE(estimateTime({onGpu}, training, work, {}, "cuda:0"), std::optional(100.0));
        auto there = onGpu;
        there.place = QStringLiteral("gpu-1");
        QVERIFY(!estimateTime({there}, training, work, {}, "cuda:0"));
        QCOMPARE(estimateTime({there}, training, work, "gpu-1"), std::optional(100.0));
        QVERIFY(!estimateTime({readRunItem(shop.run("stopped", RunState::Stopped))}, training, work));
        training.architecture.encoder.feedForward *= 8; // another size
        QVERIFY(!estimateTime({run}, training, work));
    }

    void seedsAreNumbersAndRanges_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QList<int>>("seeds");
        QTest::newRow("one") << "7" << QList{7};
        QTest::newRow("several") << "1 2 3" << QList{1, 2, 3};
        QTest::newRow("commas") << "3, 1;2" << QList{3, 1, 2};
        QTest::newRow("range") << "1-3 9" << QList{1, 2, 3, 9};
        QTest::newRow("twice") << "1 1-2" << QList{1, 2};
    }
    void seedsAreNumbersAndRanges() {
        QFETCH(QString, text);
        QFETCH(QList<int>, seeds);
        QString mistake;
        const auto parsed = parseSeeds(text, mistake);
        QVERIFY2(parsed, qPrintable(mistake));
        QCOMPARE(QList<int>(parsed->begin(), parsed->end()), seeds);
    }

    void whatIsNoSeedIsNamed_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("part");
        QTest::newRow("nothing") << "  "
                                 << "needs a seed";
        QTest::newRow("word") << "1 two"
                              << "“two”";
        QTest::newRow("negative") << "-1"
                                  << "“-1”";
        QTest::newRow("backwards") << "5-2"
                                   << "backwards";
        QTest::newRow("many") << "1-5000"
                              << "100";
    }
    void whatIsNoSeedIsNamed() {
        QFETCH(QString, text);
        QFETCH(QString, part);
        QString mistake;
        QVERIFY(!parseSeeds(text, mistake));
        QVERIFY2(mistake.contains(part), qPrintable(mistake));
        QVERIFY(mistake.endsWith(QLatin1Char('.')));
    }

    void folderNamesCarryNoPath() {
        QCOMPARE(runFolderName("2026-11-21T10-31", "Local 5–21 / en-de", 2),
                 QStringLiteral("2026-11-21T10-31_Local-5-21-en-de_seed-2"));
        QCOMPARE(runFolderName("t", "../..", {}), QStringLiteral("t_run"));
    }

    void aJobPerSeedWithCopiesOfItsInputs() {
        TrainWorkshop shop;
        const auto jobs = enqueue(shop.launch({1, 2}));
        QCOMPARE(jobs.size(), 2U);
        QCOMPARE(waitingJobs(shop.runs()), jobs);
        const Job first = readJob(jobs[0]), second = readJob(jobs[1]);
        QCOMPARE(first.seed, std::optional<std::uint64_t>(1));
        QVERIFY(first.run != second.run);
        QCOMPARE(first.run.parent_path(), shop.runs());
        QVERIFY(readRecipe(first.recipe) == TrainWorkshop::smoke());
        QVERIFY(readArchitecture(first.architecture) == TrainWorkshop::tiny());
        // Asked for again in the same minute: other folders.
        const auto more = enqueue(shop.launch({1}));
        QVERIFY(readJob(more[0]).run != first.run);
        QCOMPARE(waitingJobs(shop.runs()).back(), more[0]);
    }

    void seedsElsewhereBelongTogether() {
        TrainWorkshop shop;
        Launch launch = shop.launch({3, 4});
        launch.place = "cluster";
        const auto jobs = enqueue(launch);
        const Job first = readJob(jobs[0]), second = readJob(jobs[1]);
        QVERIFY(first.array == (std::vector{first.run, second.run}));
        QVERIFY(second.array == first.array);
        QCOMPARE(commandLines(launch).size(), 1);
        QVERIFY2(commandLines(launch).front().contains(" --seeds 3,4 "), qPrintable(commandLines(launch).front()));
        launch.seeds = {3};
        QVERIFY(readJob(enqueue(launch).front()).array.empty());
        launch.seeds = {3, 4};
        launch.place.clear();
        QVERIFY(readJob(enqueue(launch).front()).array.empty());
        QCOMPARE(commandLines(launch).size(), 2);
    }

    void aScriptThatIsShownFirstIsOneOfEachSeed() {
        TrainWorkshop shop;
        Launch launch = shop.launch({3, 4});
        launch.place = "cluster";
        launch.hold = true;
        for (const auto& job : enqueue(launch))
            QVERIFY(readJob(job).hold && readJob(job).array.empty());
        QCOMPARE(commandLines(launch).size(), 2);
        QVERIFY2(commandLines(launch).front().contains(" --script-only"), qPrintable(commandLines(launch).front()));
    }

    void aJobCanBeMovedToTheFrontAndTakenOut() {
        TrainWorkshop shop;
        enqueue(shop.launch({1, 2, 3}));
        auto jobs = waitingJobs(shop.runs());
        const Job last = readJob(jobs[2]);
        moveFirst(jobs[2]);
        jobs = waitingJobs(shop.runs());
        QCOMPARE(jobs.size(), 3U);
        QCOMPARE(readJob(jobs[0]).run, last.run);
        removeJob(jobs[0]);
        QCOMPARE(waitingJobs(shop.runs()).size(), 2U);
        QVERIFY(!fs::exists(last.architecture));
        QVERIFY(!fs::exists(last.recipe));
    }

    void aFailedJobIsTakenOutWithItsInputs() {
        TrainWorkshop shop;
        const fs::path failed = putAside(shop, enqueue(shop.launch({1})).front());
        const Job job = readJob(failed);
        QCOMPARE(job.error, std::string("The corpus does not exist."));
        QVERIFY(fs::exists(job.architecture) && fs::exists(job.recipe));
        QVERIFY(removeJob(failed));
        QVERIFY(!fs::exists(failed) && !fs::exists(job.architecture) && !fs::exists(job.recipe));
    }

    void aFailedEvaluationSaysWhatItWasToEvaluate() {
        TrainWorkshop shop;
        const EvaluationRequest request{shop.path() / "local" / "model", "model", shop.path() / "corpus", "test", "asr"};
        putAside(shop, enqueueEvaluation(shop.runs(), request));
        const auto jobs = readWaiting(shop.runs());
        QCOMPARE(jobs.size(), 1U);
        QCOMPARE(jobs[0].error, QStringLiteral("The corpus does not exist."));
        QCOMPARE(jobs[0].evaluation.model, request.model);
        QVERIFY2(jobs[0].name.contains(u"local") && jobs[0].name.contains(u"test"), qPrintable(jobs[0].name));
    }

    /// A run that had just finished was listed as queued for a moment, with none of its updates: the queue had not removed its job yet.
    void aJobWhoseRunHasEndedIsNotListed() {
        TrainWorkshop shop;
        const fs::path file = enqueue(shop.launch({1})).front();
        Job job = readJob(file);
        const auto written = [](const fs::path& one, int seconds) { fs::last_write_time(one, fs::file_time_type::clock::now() + std::chrono::seconds(seconds)); };
        const auto listed = [&] { return readWaiting(shop.runs()).size(); };
        written(file, -60);
        QCOMPARE(listed(), 1U);
        auto queue = FileLock::tryTake(queueLock(shop.runs()), "run.unwritable");
        QVERIFY(queue);
        for (const RunState ended : {RunState::Finished, RunState::Stopped, RunState::Failed}) {
            shop.run(job.run.filename().string(), ended);
            QCOMPARE(listed(), 0U);
        }
        const fs::path run = RunPaths{shop.run(job.run.filename().string(), RunState::Running)}.run();
        QCOMPARE(listed(), 1U); // nobody trains it: it begins again
        shop.run(job.run.filename().string(), RunState::Stopped);
        QCOMPARE(listed(), 0U);
        QVERIFY(enqueueResume(job.run) != file); // the queue is about to remove that one
        fs::remove(waitingJobs(shop.runs()).back());
        shop.text(runPlaceFile(job.run), "{}");
        QCOMPARE(listed(), 1U); // the clock of its place may be ahead
        fs::remove(runPlaceFile(job.run));
        queue.reset(); // it was ended, and the job waits for the next one
        QCOMPARE(listed(), 1U);
        QCOMPARE(enqueueResume(job.run), file);
        queue = FileLock::tryTake(queueLock(shop.runs()), "run.unwritable");
        QCOMPARE(listed(), 0U);
        written(run, -30); // the next one has other jobs to do first
        QCOMPARE(listed(), 1U);
        QCOMPARE(enqueueResume(job.run), file);
        QCOMPARE(waitingJobs(shop.runs()).size(), 1U);
        written(run, -120);
        job.resume = true; // the job came after it had ended
        writeJob(file, job);
        QCOMPARE(listed(), 1U);
    }

    /// The queue puts a file aside that is no job, with the reason alone.
    void aFileThatIsNoJobSaysWhyItWasPutAside() {
        TrainWorkshop shop;
        writeFile(failedJobs(shop.runs()) / "500000_x.json", R"({"error": "500000_x.json is not JSON."})");
        const auto jobs = readWaiting(shop.runs());
        QCOMPARE(jobs.size(), 1U);
        QCOMPARE(jobs[0].error, QStringLiteral("500000_x.json is not JSON."));
        QCOMPARE(jobs[0].name, QStringLiteral("500000_x"));
    }

    void aJobThatWaitsElsewhereIsTakenBackThere() {
        TrainWorkshop shop;
        Launch launch = shop.launch({1});
        launch.place = "cluster";
        const fs::path job = enqueue(launch).front(), run = readJob(job).run;
        RunPlace place;
        place.place.name = "cluster";
        place.place.kind = Place::Kind::Slurm;
        place.place.folder = "~/headroom";
        place.begun = true;
        writeRunPlace(run, place);
        QVERIFY(!removeJob(job));
        QVERIFY(fs::exists(job) && requestOf(run) == RunRequest::Stop);
        place.begun = false; // nobody there knows of it
        writeRunPlace(run, place);
        QVERIFY(removeJob(job));
        QVERIFY(!fs::exists(job));
    }

    /// Somebody else started it: he is not asked, and neither is the run.
    void aWatchThatIsTakenOutStopsNothing() {
        TrainWorkshop shop;
        const fs::path job = enqueueWatch(shop.runs(), "cluster", "theirs"), run = readJob(job).run;
        RunPlace place;
        place.place.name = "cluster";
        place.place.kind = Place::Kind::Slurm;
        place.place.folder = "~/headroom";
        place.begun = true; // it was found, and waits there
        place.contact = RunPlace::Contact::Waiting;
        writeRunPlace(run, place);
        QVERIFY(removeJob(job));
        QVERIFY(!fs::exists(job) && !fs::exists(run));
    }

    /// "…_seed-1_tes" stood for test, test-clean and test-other.
    void theFolderOfAnEvaluationNamesItsSplitWhole() {
        const TrainWorkshop shop;
        const std::string run = "2026-11-21T10-31_" + std::string(60, 'x') + "_seed-12";
        const EvaluationRequest request{shop.path() / run / "model", "model", shop.path() / "corpus", "test-other", "asr"};
        const std::string folder = readJob(enqueueEvaluation(shop.runs(), request)).run.filename().string();
        QVERIFY2(folder.ends_with("x_seed-12_test-other"), folder.c_str());
    }

    void anEvaluationIsOneJobHoweverOftenItIsResumed() {
        TrainWorkshop shop;
        const EvaluationRequest request{shop.path() / "model", "model", shop.path() / "corpus", "test", "asr"};
        const fs::path first = enqueueEvaluation(shop.runs(), request), folder = readJob(first).run;
        QCOMPARE(enqueueEvaluation(shop.runs(), request, folder), first); // its queue was killed
        QCOMPARE(waitingJobs(shop.runs()).size(), 1U);
        fs::remove(first);
        QCOMPARE(readJob(enqueueEvaluation(shop.runs(), request, folder)).run, folder);
        QVERIFY(enqueueEvaluation(shop.runs(), request) != first);
        QCOMPARE(waitingJobs(shop.runs()).size(), 2U);
    }

    void resumingTwiceIsOneJob() {
        TrainWorkshop shop;
        const auto run = shop.run("a", RunState::Stopped);
        const auto job = enqueueResume(run);
        QCOMPARE(enqueueResume(run), job);
        QVERIFY(readJob(job).resume);
        QCOMPARE(readJob(job).run, run);
    }

    void theCommandIsWhatAShellTakes() {
        QCOMPARE(shellWord("runs/a_b-1"), QStringLiteral("runs/a_b-1"));
        QCOMPARE(shellWord("two words"), QStringLiteral("'two words'"));
        QCOMPARE(shellWord("it's"), QStringLiteral("'it'\\''s'"));
        QCOMPARE(shellWord(""), QStringLiteral("''"));
        TrainWorkshop shop;
        Launch launch = shop.launch({4});
        launch.architectureFile = "/a b.json";
        launch.startFrom = "/m:encoder";
        launch.set = {"length.maxUpdates=9"};
        const QString line = commandLines(launch).value(0);
        for (const char* part : {"headroom-worker train --architecture '/a b.json'",
                                 "--start-from /m:encoder", "--seed 4", "--set length.maxUpdates=9"})
            QVERIFY2(line.contains(QLatin1String(part)), qPrintable(line));
    }

    void theCommandLineAsksForWhatTheJobAsksFor() {
        TrainWorkshop shop;
        Launch launch = shop.launch({7});
        launch.architectureFile = "/a.json";
        launch.startFrom = "/m:encoder";
        launch.set = {"length.maxUpdates=9"};
        launch.place = "cluster";
        launch.device = "cuda:0";
        launch.allCheckpoints = launch.hold = true;
        const QString line = commandLines(launch).value(0);
        const Job job = readJob(enqueue(launch).front());
        TrainOptions same;
        same.architecture = launch.architectureFile; // the job has copies of both, with the changes in them
        same.recipe = launch.recipeFile;
        same.set = launch.set;
        same.run = line.section(QStringLiteral(" --run "), 1).section(u' ', 0, 0).toStdString(); // a minute may have passed
        same.data = job.data;
        same.startFrom = job.startFrom;
        same.seed = job.seed;
        same.device = job.device;
        same.ranks = job.ranks;
        same.place = job.place;
        same.allCheckpoints = job.allCheckpoints;
        same.resume = job.resume;
        same.hold = job.hold;
        same.watch = job.watch;
        QCOMPARE(line, shellLine(arguments(same)));
        QCOMPARE(job.array.size(), 0U);
    }

    void aFolderThatCannotBeWrittenIsSaid() {
        TrainWorkshop shop;
        shop.text("runs", "a file where the folder should be");
        QVERIFY_EXCEPTION_THROWN(enqueue(shop.launch()), Error);
    }
};

HEADROOM_TEST(LaunchTest)

} // namespace headroom::testing::launch_test

#include "launch_test.moc"
