// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"

#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>

namespace headroom::testing::gpu_script_test {

namespace fs = std::filesystem;

/// packaging/test-gpu, its whole way on the CPU: what runs on a machine with a GPU is the same with another device.
class TestGpuScriptTest : public QObject {
    Q_OBJECT

    struct Reported {
        int status = -1;
        std::string errors, table;
        nlohmann::json document;
    };
    /// The folder of the worker that was built stands for a bundle.
    Reported run(const QString& name, const QStringList& more) const {
        const fs::path out = fs::path(m_folder.path().toStdString()) / name.toStdString();
        QProcess process;
        process.start("python3", QStringList{HEADROOM_SOURCE_DIR "/packaging/test-gpu",
                                             TinyTraining::text(fs::path(kWorker.toStdString()).parent_path().parent_path()),
                                             "--quick", "--out", TinyTraining::text(out)} +
                                     more);
        Reported reported;
        if (process.waitForFinished(240000) && process.exitStatus() == QProcess::NormalExit)
            reported.status = process.exitCode();
        reported.errors = process.readAllStandardError().toStdString();
        if (fs::exists(out / "test-gpu.json")) {
            reported.document = nlohmann::json::parse(readSmallFile(out / "test-gpu.json", "test"));
            reported.table = readSmallFile(out / "test-gpu.md", "test");
        }
        return reported;
    }

private Q_SLOTS:
    void initTestCase() {
        if (QStandardPaths::findExecutable("python3").isEmpty())
            QSKIP("There is no python3 here.");
    }

    void everyStepRunsOnTheCpu() {
        const Reported reported = run("cpu", {"--device", "cpu"});
        QVERIFY2(reported.status == 0, reported.errors.c_str());
        const nlohmann::json& document = reported.document;
        QVERIFY(document["format"] == "headroom/test-gpu" && document["version"] == 1);
        QVERIFY(document["passed"] == true && document["quick"] == true);
        std::string steps;
        for (const auto& step : document["steps"])
            steps += step["step"].get<std::string>() + ", ";
        QCOMPARE(steps, std::string("devices, check, bench filterbank, corpus, train, evaluate on cpu, "));
        QVERIFY(document["checks"].size() > 30);
        QCOMPARE(document["benchmarks"].size(), std::size_t(1));
        QCOMPARE(document["training"]["updates"].get<int>(), 10);
        QCOMPARE(document["training"]["validations"].size(), std::size_t(2));
        QCOMPARE(document["training"]["evaluated"]["differing"].get<int>(), 0);
        QVERIFY(document["machine"]["device"]["id"] == "cpu");
        QVERIFY(reported.table.find("| train | PASS |") != std::string::npos);
    }

    void aDeviceThatIsNotThereIsReportedWithItsSentence() {
        const Reported reported = run("absent", {"--device", "cuda:7"});
        QCOMPARE(reported.status, 1);
        QVERIFY(reported.document["passed"] == false);
        for (const auto& step : reported.document["steps"])
            if (step["step"] == "check" || step["step"] == "train") {
                QVERIFY(step["passed"] == false);
                QVERIFY(step["sentence"].get<std::string>().find("cuda:7") != std::string::npos);
            }
        QVERIFY(reported.table.find("| check | FAIL |") != std::string::npos);
    }

    void aFolderThatIsNoBundleIsRefused() {
        QProcess process;
        process.start("python3", {HEADROOM_SOURCE_DIR "/packaging/test-gpu", m_folder.path()});
        QVERIFY(process.waitForFinished(60000));
        QCOMPARE(process.exitCode(), 1);
        const std::string told = process.readAllStandardError().toStdString();
        QVERIFY2(told.find("is not there. Make a bundle with packaging/bundle-worker.") != std::string::npos,
                 told.c_str());
    }

private:
    QTemporaryDir m_folder;
};

HEADROOM_TEST(TestGpuScriptTest)

} // namespace headroom::testing::gpu_script_test

#include "gpu_script_test.moc"
