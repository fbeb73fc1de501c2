// SPDX-License-Identifier: GPL-3.0-or-later
// The disk there fills while it computes: what is said, and that it goes on when there is room. With the real worker and a real ssh
// server of this machine; the disk is a small file system in memory.
#include "core/runs/evaluations.h"
#include "tests/support/runner.h"
#include "tests/training/places/left_behind.h"
#include "tests/training/places/small_disk.h"
#include "tests/training/places/trainings_there.h"

namespace headroom::testing::disk_full_test {

namespace fs = std::filesystem;

class DiskFullTest : public QObject, TrainingsThere {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = setUp("disk"); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        m_disk = std::make_unique<SmallDisk>(m_ssh->folder() / "disk");
        if (!m_disk->problem().isEmpty())
            QSKIP(qPrintable("A small disk could not be mounted: " + m_disk->problem()));
    }
    void cleanup() {
        m_disk->empty();
        QVERIFY(nothingIsLeftThere());
    }
    void cleanupTestCase() { m_disk.reset(); }

    void aRunSaysItAndIsResumed_data() {
        QTest::addColumn<int>("room");
        QTest::newRow("nothing can be written") << 0;
        QTest::newRow("a checkpoint has no room") << 16; // it can say how it ended
    }
    void aRunSaysItAndIsResumed() {
        QFETCH(int, room);
        const std::string run = "full-" + std::to_string(room);
        const fs::path here = runs() / run;
        QProcess process;
        process.start(kWorker, train(run, 1'000'000));
        QVERIFY2(QTest::qWaitFor([&] { return stepsHere(run) > 3 && readRun(here).update > 0; }, kPatience),
                 process.readAllStandardError().constData());
        QVERIFY(endsOnAFullDisk(process, room));
        const std::string says = "The disk of loop is full. Free space there, then Resume continues from what was saved.";
        const QByteArray errors = process.readAllStandardError();
        QVERIFY2(process.exitCode() == 1 && errors.contains(QByteArray::fromStdString(says)), errors.constData());
        QVERIFY2(readRunPlace(here)->sentence == says, readRunPlace(here)->sentence.c_str()); // what the row shows
        const RunState state = readRun(here).state;
        QVERIFY2(state == RunState::Failed || (state == RunState::Interrupted && room == 0), toText(state));
        const std::int64_t steps = stepsHere(run);
        m_disk->empty();
        process.start(kWorker, {"train", "--run", TinyTraining::text(here), "--resume"});
        QVERIFY2(QTest::qWaitFor([&] { return stepsHere(run) > steps + 3; }, kPatience), process.readAllStandardError().constData());
        QVERIFY(readRunPlace(here)->sentence.empty());
        askToStop(here);
        QVERIFY(process.waitForFinished(kPatience));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        compareFolders(run, false);
    }

    void anEvaluationSaysIt() {
        const ToneCorpus corpus(m_ssh->folder() / "longer", 3, 1500);
        const QString out = m_ssh->file("evaluated");
        const QStringList words{"evaluate", "--model", kModel, "--data", "/proc/self/cwd/longer", "--split", "dev", "--max-tokens", "5",
                                "--out", out, "--place", "loop"};
        QProcess process;
        process.start(kWorker, words);
        const auto done = [&] {
            try {
                return readEvaluation(out.toStdString()).done > 0;
            } catch (const Error&) {
                return false; // not there yet
            }
        };
        QVERIFY2(QTest::qWaitFor(done, kPatience), process.readAllStandardError().constData());
        QVERIFY(endsOnAFullDisk(process, 0));
        const EvaluationInfo info = readEvaluation(out.toStdString());
        QVERIFY2(info.state == EvaluationInfo::State::Failed && info.error.find("The disk of loop is full. Free space there") != std::string::npos,
                 (std::to_string(static_cast<int>(info.state)) + " " + std::to_string(info.done) + " " + info.error + "\n" + process.readAllStandardError().toStdString()).c_str());
        m_disk->empty();
        const Finished again = runWorkerProgram(words);
        QVERIFY2(again.status == 0, again.err.c_str());
    }

private:
    bool endsOnAFullDisk(const QProcess& process, int room) const {
        return QTest::qWaitFor(
            [&] {
                m_disk->fill(room);
                return process.state() == QProcess::NotRunning;
            },
            kPatience);
    }

    std::unique_ptr<SmallDisk> m_disk;
};

HEADROOM_TEST(DiskFullTest)

} // namespace headroom::testing::disk_full_test

#include "disk_full_test.moc"
