// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/studies/study.h"
#include "tests/support/runner.h"
#include "tests/training/worker/worker_program.h"

#include <QTemporaryDir>
#include <QtTest>

#include <filesystem>

#include <csignal>

namespace headroom::testing::study_command_test {

namespace fs = std::filesystem;

/// The real program, as the window starts it.
class StudyCommandTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        for (int i = 0; i < 3; ++i)
            writeSound(path("r" + std::to_string(i) + ".wav").toStdString(), 0.8 + 0.2 * i);
    }

    void wrongUsageIsStatusTwo_data() {
        QTest::addColumn<QStringList>("arguments");
        QTest::newRow("nothing") << QStringList{"study"};
        QTest::newRow("no folder") << QStringList{"study", "windows", "--model", "m", "--data", "d"};
        QTest::newRow("no model") << QStringList{"study", "windows", "--data", "d", "--out", "o"};
        QTest::newRow("no data") << QStringList{"study", "windows", "--model", "m", "--out", "o"};
        QTest::newRow("models and maps")
            << QStringList{"study", "windows", "--model", "m", "--maps", "n", "--data", "d", "--out", "o"};
        QTest::newRow("a draft of maps")
            << QStringList{"study", "windows", "--maps", "n", "--draft", "a", "--data", "d", "--out", "o"};
        QTest::newRow("names of others") << QStringList{"study", "windows", "--model", "m", "--name=a", "--name=b", "--data", "d", "--out", "o"};
        QTest::newRow("no utterances") << QStringList{"study", "windows", "--model",      "m", "--data", "d",
                                                      "--out", "o",       "--utterances", "0"};
    }
    void goingOnTakesTheFolderAndNothingElse() {
        const QString folder = path("mistyped");
        for (const QStringList& words : {QStringList{"study", "windows", "--resume", folder},
                                         QStringList{"study", "--resume", folder, "--seed", "2"},
                                         QStringList{"study", "--resume", folder, "--set", "threshold=0.5"},
                                         QStringList{"study", "--resume", folder, "--model", "m"}})
            QCOMPARE(runWorkerProgram(words).status, 2);
        for (const QStringList& words :
             {QStringList{"study", "--resume", folder}, QStringList{"study", "--resume", "--out", folder}}) {
            const Finished finished = runWorkerProgram(words);
            QVERIFY2(finished.status == 1 && finished.says("mistyped"), finished.err.c_str());
            QVERIFY(!fs::exists(folder.toStdString()));
        }
    }

    void wrongUsageIsStatusTwo() {
        QFETCH(QStringList, arguments);
        QCOMPARE(runWorkerProgram(arguments).status, 2);
    }

    void theDocumentIsThatOfTheFolder() {
        const Finished finished =
            runWorkerProgram(arguments({path("r0.wav"), path("r1.wav"), path("r2.wav")}));
        QVERIFY2(finished.status == 0, finished.err.c_str());
        const auto document = finished.document();
        QCOMPARE(document["format"].get<std::string>(), std::string("headroom/study"));
        QCOMPARE(document["kind"].get<std::string>(), std::string("windows"));
        QCOMPARE(document["state"].get<std::string>(), std::string("finished"));
        QCOMPARE(document["utterances"].size(), std::size_t(3));
        const Study study = readStudy(out());
        QCOMPARE(study.tables.front().name, std::string("windows"));
        QVERIFY(fs::exists(StudyPaths{out()}.tables() / "windows.csv"));
        QVERIFY(fs::exists(StudyPaths{out()}.tables() / "windows.tex"));
        QVERIFY(readStudyArrays(out()).contains("1.statistic"));
    }

    void aBadRecordingIsStatusOneAndTheOthersAreDone() {
        const Finished finished = runWorkerProgram(arguments({path("r0.wav"), path("none.wav")}));
        QCOMPARE(finished.status, 1);
        QVERIFY2(finished.says("none.wav"), finished.err.c_str());
        QVERIFY(readStudy(out()).state == RunState::Finished);
        QCOMPARE(
            runWorkerProgram({"study", "colours", "--model", kModel, "--data", "d", "--out", "o"}).status, 1);
    }

    void aKilledStudyIsInterruptedAndGoesOn() {
        QProcess process;
        startLongStudy(process);
        process.kill();
        process.waitForFinished();
        const Study killed = readStudy(out());
        QVERIFY(killed.state == RunState::Interrupted);
        const Finished resumed =
            runWorkerProgram({"study", "--resume", QString::fromStdString(out().string()), "--cache",
                              path("cache"), "--json"});
        QVERIFY2(resumed.status == 0, resumed.err.c_str());
        QVERIFY(resumed.says("known"));
        QVERIFY(readStudy(out()).state == RunState::Finished);
    }

    void afterCtrlCTheStateIsSavedAndTheStatusSaysSo() {
        QProcess process;
        startLongStudy(process);
        ::kill(static_cast<pid_t>(process.processId()), SIGINT);
        QVERIFY(process.waitForFinished(180000));
        QVERIFY(process.exitStatus() == QProcess::NormalExit);
        QCOMPARE(process.exitCode(), 130); // as a shell says it of a command that SIGINT ended
        QVERIFY(process.readAllStandardError().contains("--resume"));
        QVERIFY(readStudy(out()).state == RunState::Stopped);
    }

private:
    /// Starts a study of a minute, and waits until two of its recordings are measured.
    void startLongStudy(QProcess& process) {
        QStringList recordings;
        for (int i = 0; i < 60; ++i) {
            recordings << path("long" + std::to_string(i) + ".wav");
            writeSound(recordings.back().toStdString(), 10 + 0.1 * i);
        }
        process.start(kWorker, arguments(recordings) << "--threads"
                                                     << "1");
        QVERIFY(process.waitForStarted());
        const auto measured = [&] {
            int files = 0;
            std::error_code none;
            for (fs::recursive_directory_iterator at(path("cache").toStdString(), none), end;
                 !none && at != end; at.increment(none))
                files += at->path().extension() == ".npz";
            return files;
        };
        QVERIFY(QTest::qWaitFor([&] { return measured() >= 2; }, 180000));
    }
    QString path(const std::string& name) const { return m_folder->filePath(QString::fromStdString(name)); }
    fs::path out() const { return path("study").toStdString(); }
    QStringList arguments(const QStringList& recordings) const {
        QStringList words{"study",       "windows", "--model",     kModel,   "--out",
                          path("study"), "--cache", path("cache"), "--json", "--audio"};
        return words + recordings;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

HEADROOM_TEST(StudyCommandTest)

} // namespace headroom::testing::study_command_test

#include "study_command_test.moc"
