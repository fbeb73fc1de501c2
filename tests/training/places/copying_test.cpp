// SPDX-License-Identifier: GPL-3.0-or-later
// What the queue does while it copies to a place: with the real worker and a real ssh server, and an rsync
// that is slow.
#include "tests/support/runner.h"
#include "tests/training/places/trainings_there.h"
#include "training/places/connection.h"
#include "training/places/copy_there.h"

#include <QRegularExpression>

#include <atomic>

namespace headroom::testing::copying_test {

namespace fs = std::filesystem;
using training::copyRateIn;

class CopyingTest : public QObject, TrainingsThere {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        if (const QString reason = setUp("there"); !reason.isEmpty())
            QSKIP(qPrintable(reason));
        const QString rsync = QStandardPaths::findExecutable("rsync");
        QDir(m_ssh->file(".")).mkpath("bin");
        writeScript(m_ssh->file("bin/rsync"), "exec '" + rsync.toUtf8() + "' --bwlimit=\"$(cat '" + m_ssh->file("limit").toUtf8() +
                                                  "')\" --log-file='" + m_ssh->file("rsync.log").toUtf8() + "' \"$@\"");
        m_path = qgetenv("PATH");
        qputenv("PATH", m_ssh->file("bin").toUtf8() + ":" + m_path);
        m_tiny->recipe.length.maxUpdates = 8;
        m_tiny->arguments("unused"); // writes the recipe
    }
    void cleanup() { QVERIFY(m_ssh->runs() || m_ssh->start()); } // a slot that failed may have stopped it
    void cleanupTestCase() { qputenv("PATH", m_path); }

    void aConnectionThatIsLostWhileCopyingIsFoundAgain() {
        QProcess queue;
        startSlowly(queue, "lost", "one");
        QVERIFY2(QTest::qWaitFor([&] { return copied("lost").share > 0; }, kPatience),
                 queue.readAllStandardError().constData());
        QVERIFY(QTest::qWaitFor([&] { return copied("lost").bytesPerSecond > 0; }, kPatience));
        QVERIFY(copied("lost").share < 1);
        QCOMPARE(copied("lost").what.substr(0, 4), std::string("one-"));
        m_ssh->stop();
        QVERIFY(QTest::qWaitFor([&] { return contact("lost") == RunPlace::Contact::Lost; }, kPatience));
        const auto place = readRunPlace(runs() / "lost");
        QVERIFY(!place->nextTry.empty() && !place->sentence.empty() && !place->begun);
        QCOMPARE(waitingJobs(runs()).size(), std::size_t(1)); // it is not put aside
        writeFile(m_ssh->file("limit"), "0");
        QVERIFY(m_ssh->start());
        askToReconnect(runs() / "lost");
        QVERIFY(queue.waitForFinished(kPatience));
        QVERIFY2(readRun(runs() / "lost").state == RunState::Finished,
                 queue.readAllStandardError().constData());
        QVERIFY(waitingJobs(runs()).empty() && nothingIsAside());
        QVERIFY(nothingIsLeftThere());
    }

    /// What is there of a large file when the connection is lost is not sent again.
    void aFileThatWasCutGoesOnAtItsByte() {
        constexpr std::int64_t kSize = 4 << 20;
        std::string noise(kSize, 0); // no two parts are alike
        std::uint32_t state = 1;
        for (char& byte : noise)
            byte = static_cast<char>((state = state * 1664525U + 1013904223U) >> 24);
        writeFile(m_ssh->folder() / "model" / "weights.safetensors", noise);
        const Place place = m_ssh->place("large there");
        writeFile(m_ssh->file("limit"), "1500"); // kB/s
        QFile::remove(m_ssh->file("rsync.log"));
        const std::atomic<bool> stop{false};
        bool cut = false;
        const auto copy = [&] {
            return training::copyThere(place, fs::path("/proc/self/cwd/model"), "models", [&](double share, const std::string&) {
                if (share > 0.4 && !std::exchange(cut, true))
                    m_ssh->cut();
            }, stop);
        };
        try {
            copy();
            QFAIL("the connection was not cut");
        } catch (const Error& error) {
            QVERIFY2(training::mayPass(error), error.what()); // it would be tried again
        }
        QVERIFY(cut);
        std::int64_t kept = 0; // rsync there gives it its name when it notices
        const auto keptThere = [&] {
            for (const auto& entry : fs::recursive_directory_iterator(place.folder))
                if (entry.path().filename() == "weights.safetensors")
                    kept = static_cast<std::int64_t>(entry.file_size());
            return kept > 0;
        };
        QVERIFY(QTest::qWaitFor(keptThere, kPatience));
        QVERIFY2(kept > kSize / 4 && kept < kSize, std::to_string(kept).c_str());
        writeFile(m_ssh->file("limit"), "0");
        QFile::remove(m_ssh->file("rsync.log"));
        const fs::path there = copy();
        QVERIFY(wholeText(there / "weights.safetensors") == noise);
        const std::int64_t sent = bytesSent();
        qInfo("Of %lld bytes %lld were there; %lld were sent.", static_cast<long long>(kSize), static_cast<long long>(kept),
              static_cast<long long>(sent));
        QVERIFY2(sent > 0 && sent < kSize - kept + kSize / 16, std::to_string(sent).c_str());
    }

    /// A home that both machines share, or a corpus that somebody has put there before.
    void aCorpusThatIsThereIsNotCopied() {
        const ToneCorpus corpus(m_ssh->folder() / "shared", 10, 2);
        writeFile(corpus.folder() / "a \\ and\na line.txt", "its name is in the hash, too");
        const auto train = [&](const char* run, const fs::path& data) {
            QFile::remove(m_ssh->file("rsync.log"));
            return runWorkerProgram(TinyTraining(runs(), data).arguments(run, {"--place", "loop", "--set", "length.maxUpdates=4"}));
        };
        const Finished shared = train("with it", corpus.folder());
        QVERIFY2(shared.status == 0, shared.err.c_str());
        QCOMPARE(readRun(runs() / "with it").data, corpus.folder().string());
        QVERIFY2(!QFile::exists(m_ssh->file("rsync.log")), "rsync was started");
        // At a path that is another folder there, it is copied once.
        const Finished copied = train("copied", "/proc/self/cwd/shared");
        QVERIFY2(copied.status == 0, copied.err.c_str());
        const std::string copy = readRun(runs() / "copied").data;
        QVERIFY2(copy.find("/data/shared-") != std::string::npos && bytesSent() > 100000, copy.c_str());
        const Finished again = train("again", "/proc/self/cwd/shared");
        QVERIFY2(again.status == 0, again.err.c_str());
        QCOMPARE(readRun(runs() / "again").data, copy);
        QVERIFY2(bytesSent() < 10000, std::to_string(bytesSent()).c_str());
    }

    void aJobThatIsRemovedWhileItCopiesIsNotStarted() {
        QProcess queue;
        const fs::path job = startSlowly(queue, "removed", "two");
        QVERIFY2(QTest::qWaitFor([&] { return copied("removed").share > 0; }, kPatience),
                 queue.readAllStandardError().constData());
        fs::remove(job);
        QElapsedTimer clock;
        clock.start();
        QVERIFY(queue.waitForFinished(kPatience));
        qInfo("From the removal to the end of the queue: %lld ms", clock.elapsed());
        QVERIFY(!fs::exists(runs() / "removed")); // nothing says any more that it was wanted
        QVERIFY(!fs::exists(there("removed")));
        QVERIFY(nothingIsAside());
    }

    /// Its file has another name then.
    void aJobThatIsMovedToTheFrontIsStillTheSame() {
        QProcess queue;
        const fs::path job = startSlowly(queue, "moved", "three");
        QVERIFY2(QTest::qWaitFor([&] { return copied("moved").share > 0; }, kPatience),
                 queue.readAllStandardError().constData());
        fs::rename(job, jobFile(runs(), 1, runs() / "moved"));
        writeFile(m_ssh->file("limit"), "0");
        QVERIFY(queue.waitForFinished(kPatience));
        QVERIFY2(readRun(runs() / "moved").state == RunState::Finished,
                 queue.readAllStandardError().constData());
        QVERIFY(waitingJobs(runs()).empty() && nothingIsAside());
        QCOMPARE(readRun(runs() / "moved").resumed, std::int64_t(0));
        QVERIFY(nothingIsLeftThere());
    }

    void theSpeedIsReadFromWhatRsyncSays() {
        const auto rate = copyRateIn("      1,234,567  45%   10.00MB/s    0:01:12 (xfr#3, to-chk=1/5)");
        QVERIFY(rate);
        QCOMPARE(rate->first, 10.0 * 1024 * 1024);
        QCOMPARE(rate->second, 72.0);
        QCOMPARE(copyRateIn("  32,768   4%   20.50kB/s    1:00:00")->first, 20.5 * 1024);
        QVERIFY(!copyRateIn("building file list") && !copyRateIn("          0   0%"));
    }

private:
    /// Starts a queue with one job, whose corpus is copied for many seconds. Returns the job's file.
    fs::path startSlowly(QProcess& queue, const std::string& run, const std::string& corpus) {
        ToneCorpus(m_ssh->folder() / corpus, 10, 2);
        writeFile(m_ssh->file("limit"), "15"); // kB/s
        Job job;
        job.run = runs() / run;
        job.architecture = runs() / "architecture.json";
        job.recipe = runs() / "recipe.json";
        job.data = "/proc/self/cwd/" + corpus; // another folder there
        job.place = "loop";
        const fs::path file = nextJobFile(runs(), job.run);
        writeJob(file, job);
        queue.start(kWorker, {"queue", TinyTraining::text(runs()), "--stay"});
        return file;
    }
    /// Of the last rsync here, as it says at its end.
    std::int64_t bytesSent() const {
        QString log = QString::fromStdString(wholeText(m_ssh->file("rsync.log").toStdString()));
        const auto found = QRegularExpression("sent ([0-9]+) bytes").match(log.remove(u','));
        return found.hasMatch() ? found.captured(1).toLongLong() : -1;
    }
    RunPlace::Copy copied(const std::string& run) const {
        const auto place = readRunPlace(runs() / run);
        return place && place->copy ? *place->copy : RunPlace::Copy();
    }
    bool nothingIsAside() const {
        std::error_code ignored;
        return !fs::exists(failedJobs(runs())) || fs::is_empty(failedJobs(runs()), ignored);
    }
    QByteArray m_path;
};

HEADROOM_TEST(CopyingTest)

} // namespace headroom::testing::copying_test

#include "copying_test.moc"
