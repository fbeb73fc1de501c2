// SPDX-License-Identifier: GPL-3.0-or-later
// What the queue of a place keeps of a run that waits there.
#include "core/runs/jobs.h"
#include "tests/support/runner.h"
#include "training/places/launch_here.h"

#include <QTemporaryDir>
#include <QtTest/QtTest>

namespace headroom::testing::queue_launcher_test {

namespace fs = std::filesystem;
using namespace training;

class QueueLauncherTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// They stayed for ever.
    void aRunThatIsTakenBackLeavesNoCopies() {
        const QTemporaryDir folder;
        const fs::path runs = folder.path().toStdString();
        const auto launcher = [&](const char* run) { return queueLauncher(runs / run, "cpu", 0, [](const fs::path&) {}); };
        const auto input = [&](const char* name) { return jobInputs(runs) / name; };
        for (const char* run : {"first", "second"})
            launcher(run)->begin({"{}", "{}", "/data/corpus", ""});
        Job third = readJob(jobOfRun(runs, runs / "first").value());
        third.run = runs / "third";
        third.architecture = input("second.architecture.json"); // somebody wrote it by hand
        writeJob(nextJobFile(runs, third.run), third);
        launcher("second")->stop();
        QVERIFY(!jobOfRun(runs, runs / "second") && !fs::exists(input("second.recipe.json")));
        QVERIFY(fs::exists(input("second.architecture.json")));
        QVERIFY(fs::exists(input("first.architecture.json")) && fs::exists(input("first.recipe.json")));
        launcher("first")->stop();
        QVERIFY(!fs::exists(input("first.architecture.json")) && fs::exists(input("first.recipe.json")));
        launcher("third")->stop();
        QVERIFY(fs::is_empty(jobInputs(runs)));
        launcher("third")->stop(); // nothing waits any more
    }
    /// Copies elsewhere are their owner's.
    void onlyCopiesAreRemoved() {
        const QTemporaryDir folder;
        const fs::path runs = folder.path().toStdString();
        Job job;
        job.run = runs / "run";
        job.architecture = runs / "architecture.json";
        job.recipe = jobInputs(runs) / "run.recipe.json";
        fs::create_directories(jobInputs(runs));
        for (const fs::path& file : {job.architecture, job.recipe})
            QVERIFY(QFile(QString::fromStdString(file.string())).open(QIODevice::WriteOnly));
        removeInputs(runs, job);
        QVERIFY(fs::exists(job.architecture) && !fs::exists(job.recipe));
    }
};

HEADROOM_TEST(QueueLauncherTest)

} // namespace headroom::testing::queue_launcher_test

#include "queue_launcher_test.moc"
