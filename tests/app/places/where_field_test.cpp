// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/device_list.h"
#include "app/places/place_store.h"
#include "app/places/where_field.h"
#include "tests/support/runner.h"

#include <QSignalSpy>
#include <QStandardItemModel>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::where_field_test {

using namespace headroom::app;

class WhereFieldTest : public QObject {
    Q_OBJECT

    static constexpr const char* kDevices =
        R"({"format": "headroom/devices", "version": 1, "devices": [{"id": "cpu", "name": "EPYC", "threads": 2},)"
        R"({"id": "cuda:0", "name": "H200"}, {"id": "cuda:1", "name": "T4", "missing": "It is too old."}]})";

    static Place place(const char* name) {
        Place place;
        place.name = place.host = name;
        place.folder = "~/headroom";
        return place;
    }
    std::filesystem::path file() const { return m_folder.filePath("places.json").toStdString(); }
    static QStringList names(const WhereField& field) {
        QStringList names;
        for (int i = 0; i < field.count(); ++i)
            names << field.itemText(i);
        return names;
    }

private Q_SLOTS:
    void init() {
        qputenv("HEADROOM_WORKER", HEADROOM_FAKE_TRAINER);
        qputenv("HEADROOM_FAKE_DEVICES", kDevices);
        writePlaces(file(), {place("gpu-1"), place("gpu-2")});
    }
    void cleanup() { qunsetenv("HEADROOM_FAKE_DEVICES"); }

    void devicesAndPlacesAreOffered() {
        PlaceStore places(file());
        DeviceList devices;
        WhereField field(&places, &devices);
        QCOMPARE(names(field), QStringList({"This machine, CPU", "gpu-1", "gpu-2"}));
        QVERIFY(field.place().isEmpty() && field.device().isEmpty());
        QSignalSpy found(&devices, &DeviceList::changed);
        field.look();
        QVERIFY(found.wait(60000));
        QCOMPARE(names(field), QStringList({"This machine, CPU", "This machine, H200", "This machine, T4", "gpu-1", "gpu-2"}));
        const auto* rows = qobject_cast<QStandardItemModel*>(field.model());
        QVERIFY(rows->item(1)->isEnabled() && !rows->item(2)->isEnabled());
        QCOMPARE(field.itemData(2, Qt::ToolTipRole).toString(), QStringLiteral("It is too old."));
        field.setCurrentIndex(1);
        QCOMPARE(field.device(), QStringLiteral("cuda:0"));
        field.setCurrentIndex(4);
        QVERIFY(field.place() == QLatin1String("gpu-2") && field.device().isEmpty());
    }

    void whatIsChosenStaysWhileItIsThere() {
        PlaceStore places(file());
        DeviceList devices;
        WhereField field(&places, &devices);
        field.choose(QStringLiteral("gpu-2"));
        QSignalSpy changed(&field, &QComboBox::currentIndexChanged);
        QVERIFY(places.remove(QStringLiteral("gpu-1")).isEmpty());
        QCOMPARE(field.place(), QStringLiteral("gpu-2"));
        QVERIFY(places.remove(QStringLiteral("gpu-2")).isEmpty());
        QCOMPARE(field.currentText(), QStringLiteral("This machine, CPU"));
        QVERIFY(!changed.isEmpty());
        QVERIFY(!field.hasChoice());
        QVERIFY(places.put(place("gpu-2")).isEmpty()); // there again, and nobody chose another one
        QCOMPARE(field.place(), QStringLiteral("gpu-2"));
    }

    void aDeviceThatIsNotThereIsTheCpuWhenThatIsKnown() {
        PlaceStore places(file());
        for (const char* worker : {HEADROOM_FAKE_TRAINER, "/nowhere/headroom-worker"}) { // a list without it; no list
            qputenv("HEADROOM_WORKER", worker);
            DeviceList devices;
            WhereField field(&places, &devices);
            field.choose({}, QStringLiteral("cuda:7"));
            QCOMPARE(field.currentText(), QStringLiteral("Looking for cuda:7…"));
            field.look();
            QTRY_COMPARE_WITH_TIMEOUT(field.currentText(), QStringLiteral("This machine, CPU"), 60000);
            QVERIFY(field.device().isEmpty() && devices.hasAnswered());
            field.choose({}, QStringLiteral("cuda:7")); // nobody looks any more
            QCOMPARE(field.currentText(), QStringLiteral("This machine, CPU"));
        }
    }

    void aRememberedDeviceIsChosenWhenItIsListed() {
        PlaceStore places(file());
        DeviceList devices;
        WhereField field(&places, &devices), again(&places, &devices);
        QSignalSpy found(&devices, &DeviceList::changed);
        field.look();
        QVERIFY(found.wait(60000));
        field.choose({}, QStringLiteral("cuda:0"));
        DeviceList later;
        WhereField next(&places, &later);
        next.restore(field.state());
        QCOMPARE(next.device(), QStringLiteral("cuda:0")); // and not the CPU, until it is known that it is not there
        QCOMPARE(next.currentText(), QStringLiteral("Looking for cuda:0…"));
        QVERIFY(next.hasChoice());
        QSignalSpy listed(&later, &DeviceList::changed);
        next.look();
        QVERIFY(listed.wait(60000));
        QCOMPARE(next.device(), QStringLiteral("cuda:0"));
        QCOMPARE(next.currentText(), QStringLiteral("This machine, H200"));
        QCOMPARE(names(next).filter(QStringLiteral("Looking")).size(), 0);
        again.restore(QByteArray("gone\n"));
        QVERIFY(again.place().isEmpty() && again.device().isEmpty());
        again.restore({});
        QVERIFY(again.place().isEmpty());
    }

private:
    QTemporaryDir m_folder;
};

HEADROOM_TEST(WhereFieldTest)

} // namespace headroom::testing::where_field_test

#include "where_field_test.moc"
