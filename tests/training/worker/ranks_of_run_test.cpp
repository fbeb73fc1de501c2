// SPDX-License-Identifier: GPL-3.0-or-later
// With how many ranks a run goes on that is resumed without saying it.
#include "tests/support/runner.h"
#include "training/worker/train_ranks.h"

#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::ranks_of_run_test {

namespace fs = std::filesystem;

class RanksOfRunTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRunGoesOnWithAsManyRanksAsItHad_data() {
        QTest::addColumn<QString>("device"); // of the run
        QTest::addColumn<int>("had");
        QTest::addColumn<int>("gpus");
        QTest::addColumn<int>("ranks"); // 0: as train itself takes
        QTest::addColumn<int>("said");  // how many it had, if fewer go on
        QTest::newRow("all GPUs") << "cuda:0" << 4 << 4 << 4 << 0;
        QTest::newRow("fewer GPUs are left") << "cuda:0" << 4 << 2 << 2 << 4;
        QTest::newRow("one GPU is left") << "cuda:0" << 4 << 1 << 0 << 4;
        QTest::newRow("processors") << "cpu" << 3 << 0 << 3 << 0;
        QTest::newRow("one process") << "cuda:0" << 1 << 4 << 0 << 0;
    }
    void aRunGoesOnWithAsManyRanksAsItHad() {
        QFETCH(QString, device);
        QFETCH(int, had);
        QFETCH(int, gpus);
        QFETCH(int, ranks);
        QFETCH(int, said);
        const QTemporaryDir folder;
        TrainOptions options;
        options.run = fs::path(folder.path().toStdString()) / "run";
        options.resume = true;
        fs::create_directories(options.run);
        RunInfo info;
        info.state = RunState::Stopped;
        info.decided.device = device.toStdString();
        info.decided.ranks = had;
        writeRun(options.run, info);
        QCOMPARE(readRun(options.run).decided.ranks, std::int64_t(had));
        const auto devices = [gpus] {
            training::ComputeDevices there;
            there.list.push_back({"cpu", "a processor", 0, -1, {}, {}});
            for (int i = 0; i < gpus; ++i)
                there.list.push_back({"cuda:" + std::to_string(i), "a GPU", 0, -1, {}, {}});
            return there;
        };
        const auto resumed = [&](auto change) {
            TrainOptions wanted = options;
            change(wanted);
            training::takeRanksOfRun(wanted, devices);
            return wanted.ranks;
        };
        QCOMPARE(resumed([](TrainOptions&) {}), ranks);
        QCOMPARE(training::takeRanksOfRun(options, devices), said);
        const std::string note = training::fewerRanksNote(1, 4);
        QVERIFY2(note.starts_with("This run continues with 1 rank instead of 4, "), note.c_str());
        QCOMPARE(resumed([](TrainOptions& wanted) { wanted.ranks = 1; }), 1);            // it was named
        QCOMPARE(resumed([](TrainOptions& wanted) { wanted.device = "cuda:1"; }), 0);    // likewise
        QCOMPARE(resumed([](TrainOptions& wanted) { wanted.resume = false; }), 0);       // a new run
        QCOMPARE(resumed([](TrainOptions& wanted) { wanted.run = "/nowhere"; }), 0);     // none yet
    }
};

HEADROOM_TEST(RanksOfRunTest)

} // namespace headroom::testing::ranks_of_run_test

#include "ranks_of_run_test.moc"
