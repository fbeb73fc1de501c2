// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "tests/support/runner.h"
#include "tests/training/ranks/at_ranks.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/equal.h>
#include <ATen/ops/full.h>
#include <ATen/ops/ones.h>
#include <QtTest>

#include <csignal>

namespace headroom::testing::ranks_test {

using namespace headroom::training;

class RanksTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void sumsAndTextsReachEveryRank_data() {
        QTest::addColumn<int>("world");
        QTest::newRow("two") << 2;
        QTest::newRow("three") << 3;
    }
    void sumsAndTextsReachEveryRank() {
        QFETCH(int, world);
        const std::string problems = atRanks(world, [&](Ranks& ranks) {
            const int rank = ranks.rank();
            std::string problem;
            // More than one bucket, of which one is larger than a bucket.
            std::vector<at::Tensor> tensors{at::full({2, 3}, rank + 1.0), at::ones({7 * 1024 * 1024}), at::ones({})};
            ranks.sum(tensors);
            const double all = world * (world + 1) / 2.0;
            if (!at::equal(tensors[0], at::full({2, 3}, all)) ||
                !at::equal(tensors[1], at::full({7 * 1024 * 1024}, double(world))) ||
                tensors[2].item<double>() != world)
                problem += "tensors ";
            std::vector<double> numbers{1e-17 * rank, double(rank)};
            ranks.sum(numbers);
            if (numbers[1] != all - world)
                problem += "numbers ";
            const auto texts = ranks.gather(std::string(static_cast<std::size_t>(rank), 'x'));
            for (int i = 0; i < world; ++i)
                if (texts[static_cast<std::size_t>(i)] != std::string(static_cast<std::size_t>(i), 'x'))
                    problem += "texts ";
            if (ranks.fromFirst(rank == 0 ? "the first" : "another") != "the first")
                problem += "first ";
            return problem;
        });
        QCOMPARE(problems, std::string());
    }

    /// c10d writes to it without MSG_NOSIGNAL.
    void aRankThatDiedDoesNotEndTheOthersByASignal() {
        const auto before = ::signal(SIGPIPE, SIG_DFL);
        { Ranks alone({0, 1, "127.0.0.1", 0}); }
        QVERIFY(::signal(SIGPIPE, before) == SIG_IGN);
    }

    void aRankThatFailsIsNamedWithItsReason() {
        bool lost = false;
        const std::string told = toldOfAFailure([&](Ranks& first, std::thread& other) {
            other.join();
            std::vector<double> numbers{1};
            try {
                first.sum(numbers);
            } catch (const Error&) {
                lost = first.lost();
                throw;
            }
        });
        QVERIFY(lost);
        QCOMPARE(told, std::string("Rank 1 failed: The disk is full."));
    }

    void ranksThatDoNotComeAreNamed() {
        try {
            Ranks first({0, 3, "127.0.0.1", 0}, {}, 1);
            QFAIL("nobody came");
        } catch (const Error& error) {
            QCOMPARE(std::string(error.what()),
                     std::string("Of 3 ranks, these did not connect within 1 s: 1, 2."));
        }
    }

    /// Which GPU it takes follows from it.
    void aLauncherSaysWhichRankOfThisHost() {
        const QByteArrayList launcher{"RANK=3", "WORLD_SIZE=4", "MASTER_ADDR=node", "MASTER_PORT=29500", "LOCAL_RANK=1"};
        for (const QByteArray& variable : launcher)
            qputenv(variable.split('=')[0].constData(), variable.split('=')[1]);
        const auto place = placeFromEnvironment();
        for (const QByteArray& variable : launcher)
            qunsetenv(variable.split('=')[0].constData());
        QVERIFY(place && place->rank == 3);
        QCOMPARE(place->local, 1);
    }

    void aPlaceIsReadFromTheLaunchersVariables_data() {
        QTest::addColumn<QStringList>("variables");
        QTest::addColumn<QString>("place");
        QTest::newRow("no launcher") << QStringList{} << "none";
        QTest::newRow("torchrun") << QStringList{"RANK=1", "WORLD_SIZE=4", "MASTER_ADDR=node", "MASTER_PORT=29500"}
                                  << "1 of 4 at node:29500";
        QTest::newRow("torchrun with one process")
            << QStringList{"RANK=0", "WORLD_SIZE=1", "MASTER_ADDR=node", "MASTER_PORT=29500"} << "none";
        QTest::newRow("srun") << QStringList{"SLURM_PROCID=2", "SLURM_NTASKS=3", "SLURM_LAUNCH_NODE_IPADDR=10.0.0.1",
                                             "SLURM_JOB_ID=123456"}
                              << "2 of 3 at 10.0.0.1:23456";
        QTest::newRow("a shell of salloc") << QStringList{"SLURM_NTASKS=3", "SLURM_JOB_ID=123456"} << "none";
        QTest::newRow("no address") << QStringList{"RANK=1", "WORLD_SIZE=4"}
                                    << "RANK and WORLD_SIZE are set, but MASTER_ADDR, the host of rank 0, is not.";
        QTest::newRow("a rank beyond the others")
            << QStringList{"RANK=4", "WORLD_SIZE=4", "MASTER_ADDR=node", "MASTER_PORT=29500"}
            << "The environment variable RANK is “4”; it must be a number from 0 to 3.";
    }
    void aPlaceIsReadFromTheLaunchersVariables() {
        QFETCH(QStringList, variables);
        QFETCH(QString, place);
        for (const char* name : {"RANK", "WORLD_SIZE", "MASTER_ADDR", "MASTER_PORT", "SLURM_PROCID", "SLURM_NTASKS",
                                 "SLURM_LAUNCH_NODE_IPADDR", "SLURM_JOB_ID"})
            qunsetenv(name);
        for (const QString& variable : variables)
            qputenv(variable.section('=', 0, 0).toUtf8().constData(), variable.section('=', 1).toUtf8());
        QString found;
        try {
            const auto read = placeFromEnvironment();
            found = read ? QString("%1 of %2 at %3:%4")
                               .arg(read->rank)
                               .arg(read->world)
                               .arg(QString::fromStdString(read->address))
                               .arg(read->port)
                         : QString("none");
        } catch (const Error& error) {
            found = error.what();
        }
        for (const QString& variable : variables)
            qunsetenv(variable.section('=', 0, 0).toUtf8().constData());
        QCOMPARE(found, place);
    }
};

HEADROOM_TEST(RanksTest)

} // namespace headroom::testing::ranks_test

#include "ranks_test.moc"
