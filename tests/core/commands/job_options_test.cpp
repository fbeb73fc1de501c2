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

Job wholeJob() {
    Job job;
    job.run = "a_seed-2";
    job.architecture = "queue/inputs/a.architecture.json";
    job.recipe = "/recipes/b.json";
    job.data = "../data";
    job.startFrom = "../model:encoder";
    job.seed = 2;
    job.set = {"length.maxUpdates=20"};
    job.place = "gpu-1";
    job.hold = job.allCheckpoints = true;
    job.device = "cuda:1";
    job.ranks = 2;
    return job;
}

} // namespace

class JobOptionsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aNewRunIsStartedWithAbsolutePaths() {
        TrainOptions wanted;
        wanted.run = "/nowhere/runs/a_seed-2";
        wanted.architecture = "/nowhere/runs/queue/inputs/a.architecture.json";
        wanted.recipe = "/recipes/b.json";
        wanted.data = "/nowhere/data";
        wanted.startFrom = "/nowhere/model:encoder";
        wanted.seed = 2;
        wanted.set = {"length.maxUpdates=20"};
        wanted.place = "gpu-1";
        wanted.hold = wanted.allCheckpoints = true;
        wanted.device = "cuda:1";
        wanted.ranks = 2;
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
