// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "tests/support/runner.h"
#include "training/ranks/rank_devices.h"
#include "training/ranks/ranks.h"

#include <QFile>
#include <QProcess>
#include <QtTest>

#include <filesystem>

namespace headroom::testing::rank_devices_test {

using namespace headroom::training;

class RankDevicesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyRankNeedsAGpuOfItsOwn_data() {
        QTest::addColumn<QStringList>("devices"); // "host id gpu"
        QTest::addColumn<QString>("problem");
        const QString own = " Every rank needs a GPU of its own: use fewer ranks, and --device cuda so that each takes another.";
        QTest::newRow("processors") << QStringList{"a cpu", "a cpu", "b cpu"} << "";
        QTest::newRow("two GPUs") << QStringList{"a cuda:0 x", "a cuda:1 y"} << "";
        QTest::newRow("two machines") << QStringList{"a cuda:0 x", "b cuda:0 y"} << "";
        QTest::newRow("each process is shown one GPU") << QStringList{"a cuda:0 x", "a cuda:0 y"} << "";
        QTest::newRow("one GPU") << QStringList{"a cuda:0 x", "a cuda:1 y", "a cuda:0 x"}
                                 << "Ranks 0 and 2 would both compute on cuda:0 of a." + own;
        QTest::newRow("one GPU under two numbers") << QStringList{"a cuda:0 x", "a cuda:1 x"}
                                                   << "Ranks 0 and 1 would both compute on cuda:0 of a." + own;
        QTest::newRow("one GPU whose own number is unknown")
            << QStringList{"a cuda:0", "a cuda:0"} << "Ranks 0 and 1 would both compute on cuda:0 of a." + own;
        QTest::newRow("a GPU and a processor")
            << QStringList{"a cuda:0 x", "b cpu"}
            << "Rank 1 would compute on cpu of b, and rank 0 on cuda:0 of a. Give all ranks the same kind of --device.";
    }
    void everyRankNeedsAGpuOfItsOwn() {
        QFETCH(QStringList, devices);
        QFETCH(QString, problem);
        std::vector<RankDevice> list;
        for (const QString& text : devices)
            list.push_back(rankDeviceFrom(text.split(' ').join('\n').toStdString()));
        QCOMPARE(QString::fromStdString(problemOfDevices(list)), problem);
    }

    void aDeviceIsReadAsItWasWritten() {
        const RankDevice device = rankDeviceFrom(toText({"node-7", "cuda:3", "GPU-1"}));
        QCOMPARE(device.host, std::string("node-7"));
        QCOMPARE(device.id, std::string("cuda:3"));
        QCOMPARE(device.gpu, std::string("GPU-1"));
    }

    void withoutNcclTheSentenceSaysWhatIsMissing() {
        if (std::filesystem::exists("/proc/driver/nvidia/version"))
            QSKIP("There is an NVIDIA driver, so NCCL may be there too.");
        std::string told;
        try {
            Ranks alone({0, 1, "127.0.0.1", 0});
            alone.useGpus();
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("ranks.noNccl"));
            told = error.what();
        }
        QVERIFY2(told.starts_with("Several ranks on GPUs add up their gradients through NCCL, which cannot be used: "),
                 told.c_str());
        QVERIFY2(told.ends_with(" Train on one GPU, or with --device cpu."), told.c_str());
    }

    /// It asks LibTorch's CUDA half for the group, and neither NCCL nor CUDA for anything: their libraries come with that half.
    void theNcclLibraryAsksForNoMoreThanTheGroup() {
        const QString library = HEADROOM_BINARY_DIR "/lib/libheadroom-nccl.so";
        if (!QFile::exists(library))
            QSKIP("libheadroom-nccl.so was not built: nccl.h 2.28 is not here.");
        QProcess nm;
        nm.start("nm", {"-DC", "--undefined-only", library});
        QVERIFY(nm.waitForFinished(-1) && nm.exitCode() == 0);
        QStringList ofGpus;
        for (const QString& line : QString(nm.readAllStandardOutput()).split('\n', Qt::SkipEmptyParts))
            if (const QString name = line.section(' ', -1); line.contains("NCCL") || name.startsWith("nccl") || name.startsWith("cu"))
                ofGpus << line.trimmed().section(' ', 1).section('(', 0, 0);
        ofGpus.sort();
        QCOMPARE(ofGpus.join(", "), QString("c10d::ProcessGroupNCCL::Options::Options, c10d::ProcessGroupNCCL::ProcessGroupNCCL"));
    }
};

HEADROOM_TEST(RankDevicesTest)

} // namespace headroom::testing::rank_devices_test

#include "rank_devices_test.moc"
