// SPDX-License-Identifier: GPL-3.0-or-later
// The clock there is wrong by an hour (tests/other_clock): runs, evaluations, ages and what Slurm is asked are as ever. With the real
// worker and a real ssh server of this machine.
#include "core/runs/evaluations.h"
#include "tests/support/runner.h"
#include "tests/training/places/slurm_stand_in.h"
#include "tests/training/places/trainings_there.h"

#include <QDateTime>

namespace headroom::testing::other_clock_test {

namespace fs = std::filesystem;

class OtherClockTest : public QObject, TrainingsThere, SlurmStandIn {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = setUp("there"); !reason.isEmpty())
            QSKIP(qPrintable(reason));
    }
    void cleanup() { QVERIFY(nothingIsLeftThere()); }

    void aRunIsFoundStoppedAndResumed_data() { hours(); }
    void aRunIsFoundStoppedAndResumed() {
        QFETCH(int, seconds);
        useClock(seconds);
        const std::string run = "run" + std::to_string(seconds);
        const fs::path here = runs() / run;
        const qint64 begin = now();
        QProcess process;
        process.start(kWorker, train(run, 1'000'000));
        QVERIFY2(QTest::qWaitFor([&] { return stepsHere(run) > 3; }, kPatience), process.readAllStandardError().constData());
        const qint64 created = secondsOf(readRun(here).created) - seconds; // so that it is this clock that computes
        QVERIFY2(created >= begin - 1 && created <= now() + 1, readRun(here).created.c_str());
        const auto place = [&] { return *readRunPlace(here); };
        QVERIFY2(place().contact == RunPlace::Contact::Connected && isOfHere(place().since, begin), place().since.c_str());
        // Lost and found again: since when, and when next, by the clock of here.
        m_ssh->stop();
        QVERIFY(QTest::qWaitFor([&] { return contact(run) == RunPlace::Contact::Lost; }, kPatience));
        QVERIFY2(isOfHere(place().since, begin), place().since.c_str());
        QVERIFY2(secondsOf(place().nextTry) <= now() + 21 && secondsOf(place().nextTry) >= begin, place().nextTry.c_str());
        QVERIFY(readRun(here).state == RunState::Running);
        const std::int64_t before = stepsHere(run);
        QVERIFY(m_ssh->start());
        QVERIFY(QTest::qWaitFor([&] { return stepsHere(run) > before + 3; }, kPatience));
        stop(process, run);
        if (QTest::currentTestFailed())
            return;
        // It goes on, then once more with a clock that was put right meanwhile.
        for (const int next : {seconds, 0}) {
            useClock(next);
            const RunInfo last = readRun(here);
            process.start(kWorker, {"train", "--run", TinyTraining::text(here), "--resume"});
            QVERIFY2(QTest::qWaitFor([&] { return stepsHere(run) > last.update + 3 && readRun(here).state == RunState::Running; }, kPatience),
                     process.readAllStandardError().constData());
            stop(process, run);
            if (QTest::currentTestFailed())
                return;
            QCOMPARE(readRun(here).resumed, last.resumed + 1);
        }
        const double worked = workedSeconds(readRun(here));
        QVERIFY2(worked >= 0 && worked <= static_cast<double>(now() - begin) + 3, std::to_string(worked).c_str());
    }

    void anEvaluationIsTheSameAsHere() {
        useClock(kHour);
        const QStringList words{"evaluate", "--model", kModel, "--data", "/proc/self/cwd/corpus", "--split", "dev", "--max-tokens", "5"};
        const fs::path here = runs() / "e here", there = runs() / "e there";
        const Finished local = runWorkerProgram(words + QStringList{"--out", TinyTraining::text(here)});
        QVERIFY2(local.status == 0, local.err.c_str());
        const Finished far = runWorkerProgram(words + QStringList{"--out", TinyTraining::text(there), "--place", "loop"});
        QVERIFY2(far.status == 0, far.err.c_str());
        QCOMPARE(QString::fromStdString(wholeText(there / "evaluation.json")), QString::fromStdString(wholeText(here / "evaluation.json")));
        QVERIFY(readEvaluation(there).state == EvaluationInfo::State::Finished);
        QVERIFY(!FileLock::isLocked(there / "lock"));
    }

    /// The times of the files with its answers are those of a file server whose clock is right.
    void squeueIsAskedAsOftenAsEver_data() { hours(); }
    void squeueIsAskedAsOftenAsEver() {
        QFETCH(int, seconds);
        constexpr int kEvery = 1;
        standIn();
        const fs::path run = fs::path(m_folder->path().toStdString()) / "runs" / "one run";
        RunInfo info;
        info.id = "one run";
        info.state = RunState::Stopped;
        writeRun(run, info);
        writeFile(run / "slurm.json", R"({"job": "48213", "submitted": 1000})");
        const auto answer = [&](const char* reason) {
            program("squeue", QByteArray("echo asked >> \"$0.calls\"; echo '48213|PENDING|") + reason + "|N/A|'");
        };
        answer("Priority");
        QProcess follower;
        auto environment = QProcessEnvironment::systemEnvironment();
        environment.insert("HEADROOM_SQUEUE_SECONDS", QString::number(kEvery));
        environment.insert("LD_PRELOAD", HEADROOM_OTHER_CLOCK);
        environment.insert("OTHER_CLOCK_SECONDS", QString::number(seconds));
        follower.setProcessEnvironment(environment);
        QElapsedTimer elapsed;
        elapsed.start();
        follower.start(kWorker, {"places", "follow", QString::fromStdString(run.string())});
        const nlohmann::json first{{"have", nlohmann::json::object()}, {"parts", nlohmann::json::object()}, {"place", toJson(cluster())}};
        follower.write(QByteArray::fromStdString(first.dump()) + "\n");
        QByteArray said;
        const auto says = [&](const QByteArray& text) {
            said += follower.readAllStandardOutput();
            return said.contains(text);
        };
        QVERIFY2(QTest::qWaitFor([&] { return says("waits (Priority)"); }, kPatience), said.constData());
        answer("Resources");
        QVERIFY2(QTest::qWaitFor([&] { return says("waits (Resources)"); }, kPatience), said.constData());
        const auto asked = QString::fromStdString(wholeText(m_folder->filePath("bin/squeue.calls").toStdString())).count(u'\n');
        QVERIFY2(asked <= elapsed.elapsed() / (1000 * kEvery) + 1, std::to_string(asked).c_str());
        follower.closeWriteChannel();
        QVERIFY(follower.waitForFinished(kPatience));
        giveBack();
    }

private:
    static constexpr int kHour = 3600;
    static void hours() {
        QTest::addColumn<int>("seconds");
        QTest::newRow("ahead") << kHour;
        QTest::newRow("behind") << -kHour;
    }
    static qint64 now() { return QDateTime::currentSecsSinceEpoch(); }
    static qint64 secondsOf(const std::string& utc) { return QDateTime::fromString(QString::fromStdString(utc), Qt::ISODate).toSecsSinceEpoch(); }
    static bool isOfHere(const std::string& utc, qint64 begin) { return secondsOf(utc) >= begin && secondsOf(utc) <= now(); }
    /// From now on the worker there is started with a clock that is wrong by so much.
    void useClock(int seconds) {
        Place place = m_ssh->place("there");
        place.worker = m_ssh->file("worker").toStdString();
        writeScript(m_ssh->file("worker"), "export LD_PRELOAD='" HEADROOM_OTHER_CLOCK "' OTHER_CLOCK_SECONDS=" + QByteArray::number(seconds) + "\nexec '" +
                                               kWorker.toUtf8() + "' \"$@\"");
        writePlaces(m_ssh->file("places.json").toStdString(), {place});
    }
    void stop(QProcess& process, const std::string& run) {
        askToStop(runs() / run);
        QVERIFY(process.waitForFinished(kPatience));
        QVERIFY2(process.exitCode() == 0, process.readAllStandardError().constData());
        QVERIFY(readRun(runs() / run).state == RunState::Stopped);
        compareFolders(run, false);
        for (const fs::path& folder : {runs() / run, there(run)})
            QVERIFY2(!FileLock::isLocked(RunPaths{folder}.lock()), folder.c_str());
        QVERIFY(nothingIsLeftThere()); // a queue there keeps its clock
    }
};

HEADROOM_TEST(OtherClockTest)

} // namespace headroom::testing::other_clock_test

#include "other_clock_test.moc"
