// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/device_list.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::device_list_test {

using namespace headroom::app;

class DeviceListTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void whatTheWorkerListsIsRead() {
        QString noGpu = QStringLiteral("left over");
        const auto found = devicesFrom(
            "{\"format\": \"headroom/devices\", \"version\": 1, \"noGpu\": null, \"devices\": ["
            "{\"id\": \"cpu\", \"name\": \"EPYC\", \"threads\": 2, \"memoryBytes\": 25e9, \"freeBytes\": 20e9, \"missing\": null},"
            "{\"id\": \"cuda:0\", \"name\": \"H200\", \"memoryBytes\": 141e9, \"freeBytes\": null, \"driver\": \"570\","
            "\"missing\": \"This worker has no CUDA.\"}, 7]}",
            noGpu);
        QVERIFY(found.has_value());
        QVERIFY(noGpu.isEmpty());
        QCOMPARE(found->size(), 2);
        QCOMPARE(found->at(0).id, QStringLiteral("cpu"));
        QVERIFY(found->at(0).missing.isEmpty());
        QVERIFY(found->at(0).detail.startsWith(QStringLiteral("2 threads, 20.0")));
        QCOMPARE(found->at(1).missing, QStringLiteral("This worker has no CUDA."));
        QVERIFY(found->at(1).detail.endsWith(QStringLiteral("driver 570")));
    }

    void gpusOfOneNameAreToldApart() {
        QString noGpu;
        const auto found = devicesFrom("{\"format\": \"headroom/devices\", \"devices\": ["
                                       "{\"id\": \"cpu\", \"name\": \"EPYC\"}, {\"id\": \"cuda:0\", \"name\": \"H200\"},"
                                       "{\"id\": \"cuda:1\", \"name\": \"H200\"}, {\"id\": \"cuda:2\", \"name\": \"L4\"}]}",
                                       noGpu);
        QVERIFY(found.has_value());
        QStringList names;
        for (const MachineDevice& device : *found)
            names << device.name;
        QCOMPARE(names.join(", "), QStringLiteral("EPYC, H200 (cuda:0), H200 (cuda:1), L4"));
    }

    void anotherDocumentIsNoList() {
        QString noGpu;
        QVERIFY(!devicesFrom("", noGpu));
        QVERIFY(!devicesFrom("[1]", noGpu));
        QVERIFY(!devicesFrom("{\"format\": \"headroom/devices\"}", noGpu));
        const auto none = devicesFrom("{\"format\": \"headroom/devices\", \"devices\": [], \"noGpu\": \"No driver.\"}", noGpu);
        QVERIFY(none && none->isEmpty());
        QCOMPARE(noGpu, QStringLiteral("No driver."));
    }
};

HEADROOM_TEST(DeviceListTest)

} // namespace headroom::testing::device_list_test

#include "device_list_test.moc"
