// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/strict_json.h"
#include "tests/support/runner.h"
#include "tests/training/worker/run_training.h"

#include <QMap>
#include <QProcess>
#include <QStandardPaths>
#include <QTemporaryDir>
#include <QTest>

#include <filesystem>
#include <set>

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
    Reported run(const QString& name, const QStringList& more, const QMap<QString, QString>& environment = {}) const {
        const fs::path out = fs::path(m_folder.path().toStdString()) / name.toStdString();
        QProcess process;
        QProcessEnvironment words = QProcessEnvironment::systemEnvironment();
        for (auto one = environment.begin(); one != environment.end(); ++one)
            words.insert(one.key(), one.value());
        process.setProcessEnvironment(words);
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
        QCOMPARE(steps, std::string("devices, check, bench contributions, bench attention, corpus to measure with, bench train, "
                                    "PyTorch eager, corpus, train, evaluate on cpu, analyse on cpu, "));
        QVERIFY(document["checks"].size() > 30);
        std::set<std::string> measured;
        for (const auto& row : document["benchmarks"])
            measured.insert(row["benchmark"].get<std::string>());
        QCOMPARE(measured, (std::set<std::string>{"attention", "contributions", "train"}));
        QVERIFY(reported.table.find("| share of its time that waits for data | ") != std::string::npos);
        QCOMPARE(document["training"]["updates"].get<int>(), 10);
        QCOMPARE(document["training"]["validations"].size(), std::size_t(2));
        QCOMPARE(document["training"]["evaluated"]["differing"].get<int>(), 0);
        QVERIFY(document["machine"]["device"]["id"] == "cpu");
        QVERIFY(reported.table.find("| train | PASS |") != std::string::npos);
    }

    /// As on a machine with a GPU, but that this device has no kernels of ours: `check` refuses it.
    void everyFigureIsMeasuredOnAnotherDevice() {
        const Reported reported = run("far", {"--device", "privateuseone:0"}, {{"LD_PRELOAD", HEADROOM_FAR_DEVICE}});
        QVERIFY2(!reported.document.is_null(), reported.errors.c_str());
        std::map<std::string, int> rows;
        for (const auto& row : reported.document["benchmarks"]) {
            QVERIFY2(row["wanted"].get<double>() > 0, row.dump().c_str());
            QVERIFY(row["ours"].is_number());
            ++rows[row["benchmark"].get<std::string>()];
        }
        QCOMPARE(rows, (std::map<std::string, int>{{"contributions", 1}, {"attention", 8}, {"studies", 1}, {"train", 2}}));
        for (const auto& step : reported.document["steps"]) {
            const std::string name = step["step"].get<std::string>();
            if (name.starts_with("bench ") || name.starts_with("analyse ") || name == "train")
                QVERIFY2(step["passed"] == true, step.dump().c_str());
        }
        QVERIFY(reported.document["training"]["analysed"]["largestDifference"].get<double>() <= 1e-5);
        for (const char* figure : {"| contributions of 12 layers, N 64, d 256, H 4, fp32 |", "| local 21, N 128, 2 recordings, bf16, with backward |",
                                   "| windows, 12 × 4 heads, width 256, 2048 |", "| S2T-small, fp32, batches of 1000 frames |", "| ≥ 20 |",
                                   "| ≥ 1.3 |", "| ≥ 3 |", "| ≥ 0.8 |", "| ≥ 2 |"})
            QVERIFY2(reported.table.find(figure) != std::string::npos, figure);
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
        // Once is enough: no other step is tried.
        QCOMPARE(reported.document["steps"].size(), std::size_t(2));
        const std::string remark = "Nothing was measured. Run test-gpu where this GPU can be used, or add --device cpu to test without one.";
        QVERIFY(reported.errors.find("test-gpu: " + remark) != std::string::npos);
        QVERIFY(reported.table.find(remark) != std::string::npos);
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
