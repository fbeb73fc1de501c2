// SPDX-License-Identifier: GPL-3.0-or-later
// The GPUs of a machine, as a worker lists them, where runs and models are computed.
#include "app/jobs/analysis_service.h"
#include "app/jobs/device_list.h"
#include "app/jobs/worker_process.h"
#include "app/places/place_store.h"
#include "app/window/device_menu.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/place_card.h"
#include "tests/app/workspaces/train/one_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QMenu>
#include <QSignalSpy>

#include <algorithm>

namespace headroom::testing::device_cards_test {

using namespace headroom::app;

class DeviceCardsTest : public QObject {
    Q_OBJECT

    static constexpr const char* kDevices =
        R"({"format": "headroom/devices", "version": 1, "noGpu": null, "auto": "cuda:0", "devices": [)"
        R"({"id": "cpu", "name": "EPYC", "memoryBytes": 8e9, "freeBytes": 4e9, "driver": null, "missing": null, "threads": 2},)"
        R"({"id": "cuda:0", "name": "NVIDIA H200", "memoryBytes": 150e9, "freeBytes": 149e9, "driver": "580.1", "missing": null},)"
        R"({"id": "cuda:1", "name": "Tesla T4", "memoryBytes": 16e9, "freeBytes": 15e9, "driver": "580.1",)"
        R"( "missing": "its compute capability is 7.5, and 8.0 or newer is needed"}]})";

private Q_SLOTS:
    void initTestCase() {
        widgets::Theme::apply(QStringLiteral("light"));
        qputenv("HEADROOM_FAKE_DEVICES", kDevices);
    }
    void cleanupTestCase() { qunsetenv("HEADROOM_FAKE_DEVICES"); }

    void whereHasACardForEveryGpu() {
        Desk desk("good");
        AppSettings settings(QString::fromStdString((desk.shop.path() / "form.ini").string()));
        PlaceStore places;
        DeviceList devices;
        LaunchForm form({&desk.session, &desk.drafts, desk.workspace->store(), &settings, &places, &devices});
        QSignalSpy found(&devices, &DeviceList::changed);
        form.show();
        QVERIFY(found.wait(60000));
        QList<PlaceCard*> cards;
        for (PlaceCard* card : form.findChildren<PlaceCard*>())
            if (card->property("device").isValid())
                cards << card;
        std::sort(cards.begin(), cards.end(), [](const PlaceCard* a, const PlaceCard* b) {
            return a->property("device").toString() < b->property("device").toString();
        });
        QCOMPARE(cards.size(), 2);
        QCOMPARE(form.chosenDevice(), QString());
        QVERIFY(cards[0]->isEnabled() && !cards[1]->isEnabled());
        QCOMPARE(cards[1]->toolTip(),
                 QStringLiteral("its compute capability is 7.5, and 8.0 or newer is needed"));
        QTest::mouseClick(cards[1], Qt::LeftButton);
        QCOMPARE(form.chosenDevice(), QString());
        QTest::mouseClick(cards[0], Qt::LeftButton);
        QCOMPARE(form.chosenDevice(), QStringLiteral("cuda:0"));
    }

    /// Before anybody looked for devices, and after; a place that is added takes nobody's device away.
    void aDeviceIsChosenAgainAfterARestart_data() {
        QTest::addColumn<QString>("device");
        QTest::addColumn<QString>("found");
        QTest::newRow("there") << "cuda:0" << "cuda:0";
        QTest::newRow("cannot be used") << "cuda:1" << "";
        QTest::newRow("gone") << "cuda:7" << "";
    }
    void aDeviceIsChosenAgainAfterARestart() {
        QFETCH(QString, device);
        QFETCH(QString, found);
        const OnePlace place;
        Desk desk("good");
        AppSettings settings(QString::fromStdString((desk.shop.path() / "form.ini").string()));
        PlaceStore places;
        DeviceList devices;
        LaunchForm form({&desk.session, &desk.drafts, desk.workspace->store(), &settings, &places, &devices});
        form.restoreView({{"place", ""}, {"device", device.toStdString()}});
        QCOMPARE(form.chosenDevice(), device);
        QCOMPARE(form.viewState().at("device").get<std::string>(), device.toStdString()); // whoever only looks keeps it
        devices.look();
        QTRY_COMPARE_WITH_TIMEOUT(form.chosenDevice(), found, 60000);
        QVERIFY(devices.hasAnswered() || found == device);
        QTRY_VERIFY_WITH_TIMEOUT(devices.hasAnswered(), 60000);
        QCOMPARE(form.chosenDevice(), found);
        Place other = OnePlace::place();
        other.name = "gpu-2";
        OnePlace::add(other);
        places.reload();
        QCOMPARE(form.chosenDevice(), found);
        QCOMPARE(form.chosenPlace(), QString());
    }

    void theWorkersMenuListsThemAndStartsTheWorkerThere() {
        qputenv("HEADROOM_WORKER", HEADROOM_FAKE_TRAINER);
        PlaceStore places;
        DeviceList devices;
        WorkerProcess worker;
        Session session;
        AnalysisService analysis(&session, &worker);
        QMenu menu;
        menu.addAction(QStringLiteral("Restart"));
        const DeviceMenu here(&menu, {&places, &worker, &analysis, &devices}, nullptr);
        QSignalSpy found(&devices, &DeviceList::changed);
        devices.look();
        QVERIFY(found.wait(60000));
        QStringList texts;
        for (const QAction* action : menu.actions())
            if (!action->isSeparator())
                texts << action->text();
        QCOMPARE(texts.mid(0, 3),
                 (QStringList{"This machine", "This machine, NVIDIA H200", "This machine, Tesla T4"}));
        menu.actions().at(1)->trigger();
        QCOMPARE(worker.device(), QStringLiteral("cuda:0"));
    }
};

HEADROOM_TEST(DeviceCardsTest)

} // namespace headroom::testing::device_cards_test

#include "device_cards_test.moc"
