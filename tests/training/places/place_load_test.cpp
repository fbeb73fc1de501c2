// SPDX-License-Identifier: GPL-3.0-or-later
// How busy this machine and the places are.
#include "training/places/place_load.h"

#include "tests/support/runner.h"
#include "tests/training/places/loopback_ssh.h"

#include <cmath>

namespace headroom::testing::place_load_test {

using nlohmann::json;
using namespace headroom::training;

class PlaceLoadTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatIsPrintedIsRead() {
        const PlaceLoad load = loadIn("A banner of the login shell, load 7\nload 1.50\nthreads 32\nMemTotal:       65536 kB\nMemAvailable:   16384 kB\n"
                                      "gpu 0, GPU-6f1c, NVIDIA H200, 143771, 18000, 97\ngpu 1, GPU-77ab, NVIDIA GB10, [N/A], [N/A], [N/A]\ngpu No devices were found\n");
        QCOMPARE(load.load, 1.5);
        QCOMPARE(load.threads, 32);
        QCOMPARE(load.memoryBytes, 65536.0 * 1024);
        QCOMPARE(load.freeBytes, 16384.0 * 1024);
        QCOMPARE(load.gpus.size(), std::size_t(2));
        QCOMPARE(QString::fromStdString(load.gpus[0].name), QString("NVIDIA H200"));
        QCOMPARE(QString::fromStdString(load.gpus[0].uuid), QString("GPU-6f1c"));
        QCOMPARE(load.gpus[0].usedBytes, 18000.0 * 1024 * 1024);
        QCOMPARE(load.gpus[0].busy, 0.97);
        QVERIFY(load.gpus[1].number == 1 && load.gpus[1].memoryBytes < 0 && load.gpus[1].busy < 0);
        const PlaceLoad nothing = loadIn("");
        QVERIFY(nothing.load < 0 && nothing.threads == 0 && nothing.memoryBytes < 0 && nothing.gpus.empty());
    }

    /// The command, with a real ssh server and a host that is not there; it ends with its input.
    void everyPlaceIsLookedAtAgainAndAgain() {
        LoopbackSsh ssh;
        if (!ssh.skipReason().isEmpty())
            QSKIP(qPrintable(ssh.skipReason()));
        Place gone = ssh.place("there");
        gone.name = "gone";
        gone.host = "no-such-host.invalid";
        writePlaces(ssh.file("places.json").toStdString(), {ssh.place("there"), gone});
        QProcess process;
        process.start(kWorker, {"places", "monitor", "--every", "0.2"});
        std::map<std::string, int> looks;
        json there, lost;
        const auto enough = [&] {
            while (process.canReadLine()) {
                const json line = json::parse(process.readLine().toStdString());
                const std::string place = line["place"].get<std::string>();
                ++looks[place];
                (place == "gone" ? lost : there) = line;
            }
            return looks[""] > 1 && looks["loop"] > 1 && looks["gone"] > 0;
        };
        QVERIFY2(QTest::qWaitFor(enough, 120000), process.readAllStandardError().constData());
        QVERIFY(there["threads"].get<int>() >= 1 && there["memoryBytes"].get<double>() > there["freeBytes"].get<double>());
        QVERIFY(there["load"].is_number() && there["error"].is_null());
        QVERIFY2(lost["error"].get<std::string>().find("is unknown here") != std::string::npos, lost.dump().c_str());
        process.closeWriteChannel();
        QVERIFY(process.waitForFinished(120000));
        QCOMPARE(process.exitCode(), 0);
    }
};

HEADROOM_TEST(PlaceLoadTest)

} // namespace headroom::testing::place_load_test

#include "place_load_test.moc"
