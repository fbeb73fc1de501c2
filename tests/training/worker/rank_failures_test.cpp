// SPDX-License-Identifier: GPL-3.0-or-later
// What can go wrong at one of several ranks, and how soon the run ends on all of them.
#include "tests/support/runner.h"
#include "tests/training/places/free_port.h"
#include "tests/training/places/small_disk.h"
#include "tests/training/worker/run_training.h"
#include "tests/training/worker/tone_corpus.h"

#include <QElapsedTimer>
#include <QRegularExpression>
#include <QTemporaryDir>
#include <QTimer>
#include <QtTest>

#include <array>
#include <csignal>
#include <functional>
#include <map>
#include <memory>
#include <utility>

namespace headroom::testing::rank_failures_test {

namespace fs = std::filesystem;

constexpr int kLimit = 30000; ///< ms, until the run has ended everywhere

class RankFailuresTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        const fs::path place = m_place.path().toStdString();
        m_corpus = std::make_unique<ToneCorpus>(place / "corpus", 16, 3);
        m_tiny = std::make_unique<TinyTraining>(place, m_corpus->folder());
        m_tiny->recipe.length.maxUpdates = 1000000;
        m_tiny->recipe.validation.everyUpdates = 1000000;
        breakThree();
    }
    void cleanupTestCase() { m_broken.clear(); } // kills what still runs

    /// As by a machine that swaps: the process is there, and nothing of it runs.
    void aRankThatIsStoppedEndsTheRun() { endsInTime("stopped", "Rank 1 no longer answers."); }

    /// Its watcher lives on.
    void aTrainingThatHangsEndsTheRun_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("sentence");
        const QString hangs = "hangs: it has not taken part in an update for 20 s.";
        QTest::newRow("the other") << "hangs1" << "Rank 1 " + hangs;
        QTest::newRow("the one that writes the run") << "hangs0" << "Rank 1 failed: Rank 0 " + hangs;
    }
    void aTrainingThatHangsEndsTheRun() {
        QFETCH(QString, name);
        QFETCH(QString, sentence);
        endsInTime(name.toStdString(), sentence);
    }

    void aFullDiskEndsTheRun() {
        SmallDisk disk(fs::path(m_place.path().toStdString()) / "disk");
        if (!disk.problem().isEmpty())
            QSKIP(qPrintable("A small file system cannot be mounted: " + disk.problem()));
        QProcess process;
        const pid_t child = startTwo(process, "disk/full", {"--set", "machine.logEvery=1", "--set", "checkpoints.everyUpdates=20"});
        QVERIFY(child > 0);
        const std::string name = "disk/full";
        QVERIFY(readRun(m_tiny->run(name)).state == RunState::Running);
        QElapsedTimer since;
        since.start();
        disk.fill();
        QVERIFY(process.waitForFinished(180000));
        QTRY_VERIFY_WITH_TIMEOUT(::kill(child, 0) != 0, 180000);
        const qint64 took = since.elapsed();
        qInfo("%lld ms", static_cast<long long>(took));
        QVERIFY2(took < kLimit, qPrintable(QString::number(took)));
        const QString told = process.readAllStandardError();
        QCOMPARE(process.exitCode(), 1);
        // Both ranks say it, and the other one names the rank.
        QVERIFY2(told.contains(QRegularExpression("^(?!Rank).*No space left on device", QRegularExpression::MultilineOption)),
                 qPrintable(told));
        QVERIFY2(told.contains(QRegularExpression("Rank 0 failed: .*No space left on device")), qPrintable(told));
        // The disk took no state either. Where there is room again, the run is one that can go on.
        disk.empty();
        const RunInfo info = readRun(m_tiny->run(name));
        QVERIFY2(info.state == RunState::Interrupted, toText(info.state));
        QVERIFY(canResume(info.state));
    }

    void differentRecipesAreRefused() {
        QStringList arguments = m_tiny->arguments("recipes");
        const auto [first, second] = meet(arguments, arguments + QStringList{"--set", "optimiser.learningRate=0.5"}, kWorker);
        for (const Finished& rank : {first, second}) {
            QCOMPARE(rank.status, 1);
            QVERIFY2(rank.says("Rank 1: rank 0's optimiser.learningRate is ") && rank.says(", and 0.5 was asked for."),
                     rank.err.c_str());
        }
    }

    void differentWorkersAreRefused() {
        const QString other = m_place.filePath("headroom-worker");
        QVERIFY(QFile::copy(kWorker, other));
        QFile program(other);
        QVERIFY(program.open(QIODevice::Append) && program.write(" ") == 1);
        program.close();
        const QStringList arguments = m_tiny->arguments("workers");
        const auto [first, second] = meet(arguments, arguments, other);
        for (const Finished& rank : {first, second}) {
            QCOMPARE(rank.status, 1);
            QVERIFY2(rank.says("Rank 1: its headroom-worker is another build than that of rank 0."), rank.err.c_str());
        }
    }

    void differentCorporaAreRefused() {
        const std::vector<Utterance> before = m_corpus->utterances("train");
        const auto [first, second] = meet(m_tiny->arguments("corpora"), m_tiny->arguments("corpora"), kWorker, [&] {
            m_corpus->utterances("train").front().text = "my village"; // rank 0 has read it
            m_corpus->write("train");
        });
        m_corpus->utterances("train") = before;
        m_corpus->write("train");
        for (const Finished& rank : {first, second}) {
            QCOMPARE(rank.status, 1);
            QVERIFY2(rank.says(" has other recordings or texts there than at rank 0."), rank.err.c_str());
        }
    }

private:
    /// Starts two ranks and waits until they train. Returns the process of rank 1; 0: they did not begin.
    pid_t startTwo(QProcess& process, const std::string& name, const QStringList& more = {}) const {
        process.start(kWorker, m_tiny->arguments(name, QStringList{"--ranks", "2"} + more));
        const fs::path events = RunPaths{m_tiny->run(name)}.events();
        const auto begun = [&] { return fs::exists(events) && readSmallFile(events, "test").find("\"step\"") != std::string::npos; };
        if (!QTest::qWaitFor(begun, 180000))
            return 0;
        const std::string id = std::to_string(process.processId());
        pid_t child = 0;
        std::ifstream("/proc/" + id + "/task/" + id + "/children") >> child;
        return child;
    }

    /// A training of two ranks, one of which does not go on.
    struct Broken {
        QProcess process;
        pid_t child = 0;
        QElapsedTimer since; ///< it was broken
        qint64 took = -1;    ///< until the processes of both ranks had ended
    };

    /// They wait for 20 s and more, side by side, while the other slots compute.
    void breakThree() {
        m_look.start(100);
        for (const char* name : {"stopped", "hangs1", "hangs0"}) {
            Broken& broken = *(m_broken[name] = std::make_unique<Broken>());
            const QString file = m_place.filePath(QString(name) + ".file");
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("LD_PRELOAD", HEADROOM_FAR_DEVICE);
            environment.insert("FAR_DEVICE_HANG", file);
            const bool stopped = std::string(name) == "stopped";
            if (!stopped)
                broken.process.setProcessEnvironment(environment);
            broken.child = startTwo(broken.process, name, stopped ? QStringList() : QStringList{"--device", "privateuseone:0"});
            QVERIFY2(broken.child > 0, name);
            broken.since.start();
            if (stopped)
                ::kill(broken.child, SIGSTOP);
            else
                writeFile(file + QLatin1Char('.') + QLatin1Char(name[5]), "");
            connect(&m_look, &QTimer::timeout, &broken.process, [&broken] {
                if (broken.took < 0 && broken.process.state() == QProcess::NotRunning && ::kill(broken.child, 0) != 0)
                    broken.took = broken.since.elapsed();
            });
        }
    }

    void endsInTime(const std::string& name, const QString& sentence) const {
        const Broken& broken = *m_broken.at(name);
        QTRY_VERIFY_WITH_TIMEOUT(broken.took >= 0, 180000);
        qInfo("%lld ms", static_cast<long long>(broken.took));
        const QString told = m_broken.at(name)->process.readAllStandardError();
        QCOMPARE(broken.process.exitCode(), 1);
        QVERIFY2(told.contains(sentence), qPrintable(told));
        QVERIFY2(broken.took < kLimit, qPrintable(QString::number(broken.took)));
        const RunInfo info = readRun(m_tiny->run(name));
        QVERIFY(info.state == RunState::Failed);
        QCOMPARE(QString::fromStdString(info.error), sentence);
    }

    /// Two ranks as a launcher starts them, the second once the first has read its data.
    std::pair<Finished, Finished> meet(const QStringList& first, const QStringList& second, const QString& secondWorker,
                                       const std::function<void()>& before = {}) const {
        const QString port = QString::number(freePort());
        std::array<QProcess, 2> processes;
        for (int rank = 0; rank < 2; ++rank) {
            QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
            environment.insert("RANK", QString::number(rank));
            environment.insert("WORLD_SIZE", "2");
            environment.insert("MASTER_ADDR", "127.0.0.1");
            environment.insert("MASTER_PORT", port);
            processes[static_cast<std::size_t>(rank)].setProcessEnvironment(environment);
        }
        processes[0].start(kWorker, first);
        const fs::path written = RunPaths{fs::path(first[first.indexOf("--run") + 1].toStdString())}.recipe();
        if (!QTest::qWaitFor([&] { return fs::exists(written); }, 180000))
            return {};
        if (before)
            before();
        processes[1].start(secondWorker, second);
        std::array<Finished, 2> ended;
        for (std::size_t rank = 0; rank < 2; ++rank) {
            if (processes[rank].waitForFinished(180000))
                ended[rank].status = processes[rank].exitCode();
            ended[rank].err = processes[rank].readAllStandardError().toStdString();
        }
        return {ended[0], ended[1]};
    }

    QTemporaryDir m_place;
    std::unique_ptr<ToneCorpus> m_corpus;
    std::unique_ptr<TinyTraining> m_tiny;
    std::map<std::string, std::unique_ptr<Broken>> m_broken;
    QTimer m_look;
};

HEADROOM_TEST(RankFailuresTest)

} // namespace headroom::testing::rank_failures_test

#include "rank_failures_test.moc"
