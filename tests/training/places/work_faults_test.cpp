// SPDX-License-Identifier: GPL-3.0-or-later
// As faults_test, of evaluations and studies: whatever is cut, killed, paused or full, repeating the command ends in the results that
// this machine computes. HEADROOM_FAULTS: how many faults (10); HEADROOM_FAULT_SEED: the moments. packaging/test-faults has 200 of them.
#include "core/places/run_place.h"
#include "core/runs/evaluations.h"
#include "core/runs/file_lock.h"
#include "core/studies/study.h"
#include "tests/support/runner.h"
#include "tests/training/places/faults.h"
#include "tests/training/places/left_behind.h"
#include "tests/training/places/mirrored_runs.h"
#include "tests/training/worker/tone_corpus.h"

namespace headroom::testing::work_faults_test {

namespace fs = std::filesystem;

constexpr int kWorks = 4;

/// An evaluation or a study elsewhere, and the process that watches it here.
struct Work {
    fs::path out;
    QStringList words;
    std::unique_ptr<QProcess> process = std::make_unique<QProcess>();
    std::string said = {};

    bool isStudy() const { return words.front() == QLatin1String("study"); }
    bool isAlive() const { return process->state() != QProcess::NotRunning; }
    bool hasEnded() const {
        try {
            return !isAlive() && (isStudy() ? readStudy(out).state == RunState::Finished
                                            : readEvaluation(out).state == EvaluationInfo::State::Finished);
        } catch (const Error&) {
            return false; // it never began
        }
    }
    /// As the user would: begin, or find it again.
    void watch() {
        said += process->readAll().toStdString();
        const auto place = readRunPlace(out);
        process = std::make_unique<QProcess>();
        process->setProcessChannelMode(QProcess::MergedChannels);
        process->start(kWorker, isStudy() && place && place->begun ? QStringList{"study", "--out", QString::fromStdString(out.string()), "--resume"} : words);
        process->waitForStarted(60000);
    }
};

class WorkFaultsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theResultsAreThoseOfThisMachine() {
        LoopbackSsh ssh;
        if (const QString reason = ssh.skipReason(LoopbackSsh::Needs::Rsync); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        const int wanted = wantedFaults(10);
        const ToneCorpus corpus(ssh.folder() / "corpus", 6, 60);
        QDir::setCurrent(ssh.file(".")); // there, this path names another folder
        std::vector<Place> places;
        for (int i = 0; i < kWorks; ++i) {
            places.push_back(ssh.place("there " + std::to_string(i)));
            places.back().name = "loop" + std::to_string(i);
        }
        const SmallDisk disk(ssh.folder() / "disk");
        if (disk.problem().isEmpty())
            places.front().folder = (disk.folder() / "there").string();
        else
            qWarning("The disk there is never full: %s", qPrintable(disk.problem()));
        writePlaces(ssh.file("places.json").toStdString(), places);
        Faults faults(ssh, disk);
        const auto work = [&](int kind, const std::string& name) {
            const QStringList common{"--model", kModel, "--data", "/proc/self/cwd/corpus", "--split", "dev", "--out",
                                     ssh.file(QString::fromStdString(name))};
            return Work{ssh.folder() / name, (kind % 2 == 0 ? QStringList{"evaluate", "--max-tokens", "5"}
                                                            : QStringList{"study", "heads", "--utterances", "40", "--threads", "1", "--cache",
                                                                          ssh.file("cache-" + QString::fromStdString(name))}) +
                                                 common};
        };
        std::vector<Work> here;
        for (int kind = 0; kind < 2; ++kind) {
            here.push_back(work(kind, "here-" + std::to_string(kind)));
            const Finished ended = runWorkerProgram(here.back().words);
            QVERIFY2(ended.status == 0, ended.err.c_str());
        }

        for (int done = 0, round = 0; done < wanted; ++round) {
            std::vector<Work> works;
            for (int i = 0; i < kWorks; ++i) {
                works.push_back(work(i, "there-" + std::to_string(round) + "-" + std::to_string(i)));
                works.back().words += {"--place", "loop" + QString::number(i)};
                std::error_code ignored; // to be copied again
                fs::remove_all(fs::path(places[static_cast<std::size_t>(i)].folder) / "data", ignored);
                works.back().watch();
            }
            const auto allEnded = [&] {
                bool all = true;
                for (Work& one : works) {
                    if (!one.isAlive() && !one.hasEnded())
                        one.watch();
                    all = all && one.hasEnded();
                }
                return all;
            };
            for (; done < wanted; ++done) {
                if (QTest::qWaitFor(allEnded, static_cast<int>(faults.draw(900))))
                    break;
                faults.make(*works[faults.draw(works.size())].process);
            }
            const bool ended = QTest::qWaitFor(allEnded, 300000);
            for (Work& one : works) {
                one.said += one.process->readAll().toStdString();
                QVERIFY2(ended, (one.out.string() + "\n" + one.said).c_str());
                const auto& names = one.isStudy() ? std::vector{"results.npz"} : std::vector{"references.txt", "hypotheses.txt", "evaluation.json"};
                for (const char* name : names)
                    QVERIFY2(wholeText(one.out / name) == wholeText(here[one.isStudy()].out / name), (one.out / name).c_str());
                QVERIFY2(!FileLock::isLocked(one.out / "lock"), one.out.c_str());
            }
        }
        faults.report();
        QStringList left;
        const QString folder = QString::fromStdString(ssh.folder().string());
        QVERIFY2(QTest::qWaitFor([&] { return (left = processesOf(folder)).isEmpty(); }, 120000), qPrintable(left.join(u'\n')));
        for (const Place& place : places)
            for (const auto& entry : fs::recursive_directory_iterator(place.folder))
                QVERIFY2(entry.path().filename() != "lock" || !FileLock::isLocked(entry.path()), entry.path().c_str());
    }
};

HEADROOM_TEST(WorkFaultsTest)

} // namespace headroom::testing::work_faults_test

#include "work_faults_test.moc"
