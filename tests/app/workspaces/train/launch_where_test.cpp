// SPDX-License-Identifier: GPL-3.0-or-later
// Where the launch form starts runs: devices of this machine, places.
#include "app/jobs/device_list.h"
#include "app/places/place_store.h"
#include "app/workspaces/train/launch_form.h"
#include "app/workspaces/train/place_card.h"
#include "tests/app/workspaces/train/one_place.h"
#include "tests/app/workspaces/train/train_desk.h"
#include "tests/support/runner.h"
#include "tests/support/written_files.h"

#include <QCheckBox>

namespace headroom::testing::launch_where_test {

using namespace headroom::app;

namespace {

/// A worker that lists these devices, and knows nothing else.
QString listing(const Desk& desk, const QByteArray& devices) {
    const QString file = toQString(desk.shop.path() / "lister");
    writeScript(file, "cat <<'end'\n{\"format\": \"headroom/devices\", \"version\": 1, \"devices\": [" + devices + "]}\nend");
    return file;
}

} // namespace

class LaunchWhereTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void severalGpusAreOneChoiceToo_data() {
        QTest::addColumn<QByteArray>("devices");
        QTest::addColumn<QStringList>("cards");
        const QByteArray cpu = R"({"id": "cpu", "name": "EPYC"})", one = R"(, {"id": "cuda:0", "name": "H200"})",
                         two = R"(, {"id": "cuda:1", "name": "L4"})", old = R"(, {"id": "cuda:1", "name": "K40", "missing": "It is too old."})";
        QTest::newRow("two") << cpu + one + two << QStringList{"cuda:0", "cuda:1", "all"};
        QTest::newRow("one") << cpu + one << QStringList{"cuda:0"};
        QTest::newRow("one of two can be used") << cpu + one + old << QStringList{"cuda:0", "cuda:1"};
    }
    void severalGpusAreOneChoiceToo() {
        QFETCH(QByteArray, devices);
        QFETCH(QStringList, cards);
        Desk desk("good");
        qputenv("HEADROOM_WORKER", listing(desk, devices).toLocal8Bit());
        desk.open();
        desk.workspace->devices()->look();
        const auto shown = [&] {
            QStringList ids;
            for (const PlaceCard* card : desk.workspace->form()->findChildren<PlaceCard*>())
                if (card->property("device").isValid())
                    ids << card->property("device").toString();
            return ids;
        };
        QTRY_COMPARE_WITH_TIMEOUT(shown(), cards, 60000);
        for (PlaceCard* card : desk.workspace->form()->findChildren<PlaceCard*>())
            if (card->property("device").toString() == cards.last())
                card->click();
        if (cards.last() == QLatin1String("all"))
            QCOMPARE(desk.workspace->form()->chosenDevice(), QStringLiteral("all"));
    }

    void everyCheckpointIsBroughtFromAPlaceOnly() {
        const OnePlace place;
        Desk desk("good");
        LaunchForm* form = desk.workspace->form();
        auto* every = form->findChild<QCheckBox*>("allCheckpoints");
        QVERIFY(every && every->isHidden());
        form->choosePlace(QStringLiteral("gpu-1"));
        QTRY_VERIFY_WITH_TIMEOUT(!every->isHidden(), 60000);
        form->choosePlace({});
        QTRY_VERIFY_WITH_TIMEOUT(every->isHidden(), 60000);
    }

    void whatWasChosenIsInTheJobAndInTheCommand() {
        const TrainWorkshop shop;
        Launch launch = shop.launch({1});
        launch.place = "gpu-1";
        launch.allCheckpoints = true;
        QVERIFY(readJob(enqueue(launch).front()).allCheckpoints);
        QVERIFY2(commandLines(launch).front().contains(" --place gpu-1 --all-checkpoints"), qPrintable(commandLines(launch).front()));
        launch = shop.launch({1});
        launch.device = "all";
        QCOMPARE(readJob(enqueue(launch).front()).device, std::string("all"));
        QVERIFY(!readJob(enqueue(launch).front()).allCheckpoints);
        QVERIFY2(commandLines(launch).front().contains(" --device all"), qPrintable(commandLines(launch).front()));
    }
};

HEADROOM_TEST(LaunchWhereTest)

} // namespace headroom::testing::launch_where_test

#include "launch_where_test.moc"
