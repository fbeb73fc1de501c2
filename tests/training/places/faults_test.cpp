// SPDX-License-Identifier: GPL-3.0-or-later
// The connection and the server are cut, watchers are killed, processes paused and the disk there is filled, at random moments of
// copy, start, watch, stop and fetch. HEADROOM_FAULTS: how many faults (20); HEADROOM_FAULT_SEED: the moments.
// packaging/test-faults has 200 of them.
#include "core/runs/jobs.h"
#include "tests/support/runner.h"
#include "tests/training/places/faults.h"
#include "tests/training/places/left_behind.h"
#include "tests/training/places/mirrored_runs.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

namespace headroom::testing::faults_test {

namespace fs = std::filesystem;

constexpr int kRuns = 4, kUpdates = 60;

/// One run elsewhere, and the process that watches it here.
struct Watched {
    std::string name;
    fs::path here, there;
    QStringList start;
    bool stops = false; ///< the user stops it in the middle
    bool asked = false;
    std::unique_ptr<QProcess> process;

    bool isAlive() const { return process && process->state() != QProcess::NotRunning; }
    bool hasEnded() const {
        // Who is cut off before the run exists has ended too, with nothing here; the user starts it again.
        if (isAlive() || contactOf(here) != RunPlace::Contact::Ended || !fs::exists(RunPaths{here}.run()))
            return false;
        const RunState state = readRun(here).state;
        return state == RunState::Finished || state == RunState::Stopped;
    }
    /// As the user would: begin, or find it again.
    void watch() {
        const auto place = readRunPlace(here);
        process = std::make_unique<QProcess>();
        process->setProcessChannelMode(QProcess::MergedChannels);
        process->start(kWorker, place && place->begun
                                    ? QStringList{"train", "--run", TinyTraining::text(here), "--resume"}
                                    : start);
        process->waitForStarted(60000);
    }
};

class FaultsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void nothingIsLostAndNothingIsLeft() {
        LoopbackSsh ssh;
        if (const QString reason = ssh.skipReason(LoopbackSsh::Needs::Rsync); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        const int wanted = wantedFaults(20);
        const ToneCorpus corpus(ssh.folder() / "corpus", 6, 1);
        // There, this path names another folder, as on another machine: the corpus is copied, by each place.
        QDir::setCurrent(ssh.file("."));
        TinyTraining tiny(ssh.folder() / "here", "/proc/self/cwd/corpus");
        tiny.recipe.length.maxUpdates = kUpdates;
        std::vector<Place> places;
        for (int i = 0; i < kRuns; ++i) {
            places.push_back(ssh.place("there " + std::to_string(i)));
            places.back().name = "loop" + std::to_string(i);
        }
        SmallDisk disk(ssh.folder() / "disk");
        if (disk.problem().isEmpty())
            places.front().folder = (disk.folder() / "there").string();
        else
            qWarning("The disk there is never full: %s", qPrintable(disk.problem()));
        writePlaces(ssh.file("places.json").toStdString(), places);
        Faults faults(ssh, disk);

        for (int done = 0, round = 0; done < wanted; ++round) {
            std::vector<Watched> runs;
            for (int i = 0; i < kRuns; ++i) {
                const std::string name = "r" + std::to_string(round);
                const std::string own = name + "-" + std::to_string(i);
                Watched run;
                run.name = own;
                run.here = ssh.folder() / "here" / own;
                run.there = fs::path(places[static_cast<std::size_t>(i)].folder) / "runs" / own;
                run.start = tiny.arguments(own, {"--place", "loop" + QString::number(i)});
                run.stops = i % 2 == 1;
                runs.push_back(std::move(run));
                std::error_code ignored; // to be copied again
                fs::remove_all(fs::path(places[static_cast<std::size_t>(i)].folder) / "data", ignored);
                runs.back().watch();
            }
            const auto allEnded = [&] {
                for (Watched& run : runs) {
                    if (run.stops && !run.asked && stepsIn(run.here) > 5) {
                        askToStop(run.here);
                        run.asked = true;
                    }
                    if (!run.isAlive() && !run.hasEnded())
                        run.watch();
                }
                return std::all_of(runs.begin(), runs.end(),
                                   [](const Watched& run) { return run.hasEnded(); });
            };
            for (; done < wanted; ++done) {
                if (QTest::qWaitFor(allEnded, static_cast<int>(faults.draw(900))))
                    break;
                faults.make(*runs[faults.draw(runs.size())].process);
            }
            const bool ended = QTest::qWaitFor(allEnded, 300000);
            for (Watched& run : runs) {
                const auto place = readRunPlace(run.here);
                QVERIFY2(ended,
                         (run.name + ": " + (place ? toText(place->contact) + (": " + place->sentence) : "") +
                          "\n" + run.process->readAll().toStdString())
                             .c_str());
                const bool finished = readRun(run.here).state == RunState::Finished;
                QVERIFY2(finished || run.stops, run.name.c_str());
                if (finished) // each at least once; a disk that was full may have cost the last ones before a checkpoint
                    QVERIFY2(stepsIn(run.here) >= kUpdates, run.name.c_str());
                QCOMPARE(QString::fromStdString(run.name + firstDifference(run.here, run.there, finished)),
                         QString::fromStdString(run.name));
                QVERIFY2(!FileLock::isLocked(RunPaths{run.here}.lock()) &&
                             !FileLock::isLocked(RunPaths{run.there}.lock()),
                         run.name.c_str());
            }
        }
        faults.report();
        // A follower whose reader is gone notices within its next sign of life.
        QStringList left;
        QVERIFY2(
            QTest::qWaitFor(
                [&] { return (left = processesOf(QString::fromStdString(ssh.folder().string()))).isEmpty(); },
                120000),
            qPrintable(left.join(u'\n')));
    }
};

HEADROOM_TEST(FaultsTest)

} // namespace headroom::testing::faults_test

#include "faults_test.moc"
