// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "models/checks/checks.h"
#include "tests/support/runner.h"
#include "training/devices/devices.h"

#include <QtTest>

namespace headroom::testing::devices_test {

using namespace headroom::training;

class DevicesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theCpuIsFirstAndUsable() {
        const ComputeDevices devices = computeDevices();
        QVERIFY(!devices.list.empty());
        const ComputeDevice& cpu = devices.list.front();
        QCOMPARE(cpu.id, std::string("cpu"));
        QVERIFY(cpu.usable());
        QVERIFY(!cpu.name.empty());
        QVERIFY(cpu.memoryBytes > cpu.freeBytes);
        QVERIFY(devices.threads >= 1);
        QCOMPARE(devices.list.size() == 1, !devices.noGpu.empty());
    }

    void noMoreThreadsThanOpenMpIsAllowed() {
        const QByteArray before = qgetenv("OMP_NUM_THREADS");
        qunsetenv("OMP_NUM_THREADS");
        const int all = usableThreads();
        qputenv("OMP_NUM_THREADS", "1,2");
        QCOMPARE(usableThreads(), 1);
        for (const char* none : {"", "0", "many", "1000000"}) {
            qputenv("OMP_NUM_THREADS", none);
            QCOMPARE(usableThreads(), all);
        }
        qputenv("OMP_NUM_THREADS", before);
    }

    void gpusAreReadFromTheDriversList() {
        const auto found = parseGpuList("0, NVIDIA H200, 143771, 143000, 570.86.15\n"
                                        "1, NVIDIA GB10, [N/A], [N/A], 580.10\n"
                                        "No devices were found\n");
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found[0].id, std::string("cuda:0"));
        QCOMPARE(found[0].name, std::string("NVIDIA H200"));
        QCOMPARE(found[0].memoryBytes, std::int64_t(143771) * 1024 * 1024);
        QCOMPARE(found[0].freeBytes, std::int64_t(143000) * 1024 * 1024);
        QCOMPARE(found[0].driver, std::string("570.86.15"));
        QCOMPARE(found[1].freeBytes, std::int64_t(-1));
    }

    /// CUDA counts what CUDA_VISIBLE_DEVICES leaves, the driver's list does not.
    void gpusAreThoseThatCudaShows_data() {
        QTest::addColumn<QString>("list");
        QTest::addColumn<QString>("shown");
        QTest::newRow("all") << QString() << "cuda:0 A, cuda:1 B, cuda:2 C";
        QTest::newRow("one") << "2" << "cuda:0 C";
        QTest::newRow("in another order") << "1, 0" << "cuda:0 B, cuda:1 A";
        QTest::newRow("the beginning of a UUID") << "GPU-bb" << "cuda:0 B";
        QTest::newRow("up to one that is not there") << "0,7,1" << "cuda:0 A";
        QTest::newRow("none") << "" << "";
        QTest::newRow("none, as Slurm says it") << "NoDevFiles" << "";
        QTest::newRow("a part of a GPU") << "MIG-12" << "cuda:0 part of a GPU (MIG)";
    }
    void gpusAreThoseThatCudaShows() {
        QFETCH(QString, list);
        QFETCH(QString, shown);
        const auto gpus = parseGpuList("0, A, 10, 9, 570, GPU-aa11\n1, B, 10, 9, 570, GPU-bb22\n2, C, 10, 9, 570, GPU-cc33\n");
        QCOMPARE(gpus.size(), std::size_t(3));
        const std::string text = list.toStdString();
        QStringList found;
        for (const ComputeDevice& gpu : visibleGpus(gpus, list.isNull() ? nullptr : text.c_str()))
            found << QString::fromStdString(gpu.id + " " + gpu.name);
        QCOMPARE(found.join(", "), shown);
    }

    void aGpuThatIsTooOldSaysWhy_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("reason");
        QTest::newRow("new") << "0, NVIDIA H200, 10, 9, 580.65.06, GPU-aa, 9.0" << "";
        QTest::newRow("newer") << "0, NVIDIA B200, 10, 9, 595.1, GPU-aa, 10.0" << "";
        QTest::newRow("an old driver") << "0, NVIDIA H200, 10, 9, 570.86.15, GPU-aa, 9.0"
                                       << "its driver 570.86.15 is too old for CUDA 13; install driver 580 or newer";
        QTest::newRow("an old GPU") << "0, Tesla T4, 10, 9, 580.65.06, GPU-aa, 7.5"
                                    << "its compute capability is 7.5, and 8.0 or newer is needed";
        QTest::newRow("an old driver that does not know compute_cap")
            << "0, Tesla K80, 10, 9, 470.1, GPU-aa" << "its driver 470.1 is too old for CUDA 13; install driver 580 or newer";
        QTest::newRow("what says nothing of either") << "0, NVIDIA GB10, [N/A], [N/A], [N/A], GPU-aa, [N/A]" << "";
    }
    void aGpuThatIsTooOldSaysWhy() {
        QFETCH(QString, line);
        QFETCH(QString, reason);
        const auto found = parseGpuList(line.toStdString());
        QCOMPARE(found.size(), std::size_t(1));
        QCOMPARE(QString::fromStdString(unfitFor(found[0])), reason);
        QCOMPARE(QString::fromStdString(unfitFor(found[0], 12080)), reason);
        // A newer driver library stands in for an old driver, not for an old GPU.
        QCOMPARE(QString::fromStdString(unfitFor(found[0], 13000)), reason.contains("driver") ? QString() : reason);
    }

    void aGenerationThatNeedsTranslationIsNamed() {
        const auto found = parseGpuList("0, A, 10, 9, 580, GPU-aa, 8.6\n1, B, 10, 9, 580, GPU-bb, 12.0\n2, C, 10, 9, 580, GPU-cc\n");
        QCOMPARE(translationNote(found[0]), std::string());
        QCOMPARE(translationNote(found[1]),
                 std::string("Headroom's kernels were not compiled for compute capability 12.0 (B). Its driver translates them at "
                             "the first use, which takes a while."));
        QCOMPARE(translationNote(found[2]), std::string());
    }

    void everyRankOfAHostTakesAnotherGpu_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<int>("rank");
        QTest::addColumn<QString>("device");
        QTest::newRow("no rank") << "cuda" << -1 << "cuda";
        QTest::newRow("the first") << "auto" << 0 << "cuda:1";
        QTest::newRow("the second") << "cuda" << 1 << "cuda:2";
        QTest::newRow("more ranks than GPUs") << "cuda" << 2 << "cuda:1";
        QTest::newRow("a GPU by number") << "cuda:2" << 0 << "cuda:2";
        QTest::newRow("the CPU") << "cpu" << 1 << "cpu";
    }
    void everyRankOfAHostTakesAnotherGpu() {
        QFETCH(QString, wanted);
        QFETCH(int, rank);
        QFETCH(QString, device);
        const ComputeDevices devices{{{"cpu", "A processor", 1, 1, "", ""},
                                      {"cuda:0", "Old", 1, 1, "1", "it is too old"},
                                      {"cuda:1", "New", 1, 1, "1", ""},
                                      {"cuda:2", "New", 1, 1, "1", ""}},
                                     2,
                                     ""};
        QCOMPARE(QString::fromStdString(deviceOfRank(wanted.toStdString(), rank, devices)), device);
        QCOMPARE(usableGpus(devices), 2);
    }

    void aDeviceIsUsedOrRefusedByName_data() {
        QTest::addColumn<QString>("wanted");
        QTest::addColumn<QString>("chosen");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("cpu") << "cpu" << "cpu" << "";
        QTest::newRow("auto takes a GPU that can be used") << "auto" << "cuda:1" << "";
        QTest::newRow("a GPU by number") << "cuda:1" << "cuda:1" << "";
        QTest::newRow("one that cannot be used")
            << "cuda" << "" << "The device cuda:0 (Old) cannot be used: it is too old. Use cpu, cuda:1.";
        QTest::newRow("one that is not there")
            << "cuda:7" << "" << "There is no device cuda:7. headroom-worker devices lists the available ones.";
        for (const char* word : {"gpu", "cuda:", "cuda:x", "cuda:-1", "cuda:1234", "CPU", ""})
            QTest::addRow("the word '%s'", word)
                << word << ""
                << QString("Unknown device “%1”; use auto, cpu, cuda or cuda:K, for example cuda:0.").arg(word);
    }
    void aDeviceIsUsedOrRefusedByName() {
        QFETCH(QString, wanted);
        QFETCH(QString, chosen);
        QFETCH(QString, sentence);
        const ComputeDevices devices{{{"cpu", "A processor", 1, 1, "", ""},
                                      {"cuda:0", "Old", 1, 1, "1", "it is too old"},
                                      {"cuda:1", "New", 1, 1, "1", ""}},
                                     2,
                                     ""};
        try {
            QCOMPARE(QString::fromStdString(chooseDevice(wanted.toStdString(), devices)), chosen);
        } catch (const Error& error) {
            QCOMPARE(QString(error.what()), sentence);
        }
    }

    void kernelsThatComputeWrongNumbersAreNotUsed() {
        const models::CheckRow right = models::checkTensorCores("cpu");
        QVERIFY2(right.passed, right.detail.c_str());
        QVERIFY(right.name.starts_with("banded attention in one pass"));
        QCOMPARE(right.precision, std::string("bfloat16"));
        requireRightNumbers("cuda:0", right);
        try {
            requireRightNumbers("cuda:0", {"banded attention", "bfloat16", false, "largest difference 2.0e+00, bound 1e-02"});
            QFAIL("was accepted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("device.kernels"));
            QVERIFY(std::string(error.what()).find("on cuda:0 (banded attention: largest difference 2.0e+00") != std::string::npos);
        }
    }

    void withoutAGpuTheSentenceSaysWhy() {
        const ComputeDevices devices{{{"cpu", "A processor", 1, 1, "", ""}}, 2, "There is no driver."};
        QCOMPARE(chooseDevice("auto", devices), std::string("cpu"));
        try {
            chooseDevice("cuda", devices);
            QFAIL("accepted");
        } catch (const Error& error) {
            QCOMPARE(QString(error.what()),
                     QString("There is no device cuda:0. There is no driver. Use cpu."));
        }
    }
};

HEADROOM_TEST(DevicesTest)

} // namespace headroom::testing::devices_test

#include "devices_test.moc"
