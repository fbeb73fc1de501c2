// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/job_options.h"
#include "core/places/run_place.h"
#include "core/runs/run_folder.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <fstream>

namespace headroom::testing::job_options_test {

namespace fs = std::filesystem;

namespace {

/// What a job and the options made from it have in common.
template <typename Start>
Start handedOn() {
    Start made;
    made.recipe = "/recipes/b.json";
    made.seed = 2;
    made.set = {"length.maxUpdates=20"};
    made.place = "gpu-1";
    made.hold = made.allCheckpoints = true;
    made.device = "cuda:1";
    made.ranks = 2;
    return made;
}

Job wholeJob() {
    Job job = handedOn<Job>();
    job.run = "a_seed-2";
    job.architecture = "queue/inputs/a.architecture.json";
    job.data = "../data";
    job.startFrom = "../model:encoder";
    return job;
}

} // namespace

class JobOptionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNewRunIsStartedWithAbsolutePaths() {
        auto wanted = handedOn<TrainOptions>();
        wanted.run = "/nowhere/runs/a_seed-2";
        wanted.architecture = "/nowhere/runs/queue/inputs/a.architecture.json";
        wanted.data = "/nowhere/data";
        wanted.startFrom = "/nowhere/model:encoder";
        QVERIFY(trainOptionsOf("/nowhere/runs", wholeJob()) == wanted);
    }

    /// Its queue was ended, here or while it was at a place.
    void aRunThatIsThereAlreadyGoesOn() {
        const QTemporaryDir folder;
        const fs::path runs = folder.path().toStdString();
        const Job job = wholeJob();
        QVERIFY(!trainOptionsOf(runs, job).resume);
        fs::create_directories(runs / job.run);
        for (const fs::path& file : {RunPaths{runs / job.run}.run(), runPlaceFile(runs / job.run)}) {
            std::ofstream(file) << "{}";
            QVERIFY(trainOptionsOf(runs, job).resume);
            fs::remove(file);
        }
    }

    void aJobThatGoesOnOrWatchesNeedsNoDocuments() {
        Job job = wholeJob();
        job.resume = true;
        QVERIFY(trainOptionsOf("/runs", job).resume && trainOptionsOf("/runs", job).architecture.empty());
        job.resume = false;
        job.watch = true;
        QVERIFY(trainOptionsOf("/runs", job).watch && trainOptionsOf("/runs", job).architecture.empty());
    }
};

HEADROOM_TEST(JobOptionsTest)

} // namespace headroom::testing::job_options_test

#include "job_options_test.moc"
