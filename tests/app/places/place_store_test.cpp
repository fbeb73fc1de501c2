// SPDX-License-Identifier: GPL-3.0-or-later
// The file of places, which other programs and editors write too.
#include "app/places/place_store.h"

#include "tests/app/places/places_desk.h"
#include "tests/support/runner.h"

#include <QFile>
#include <QSignalSpy>
#include <QtTest/QtTest>

namespace headroom::testing::place_store_test {

using namespace headroom::app;

namespace fs = std::filesystem;

class PlaceStoreTest : public QObject, private PlacesDesk {
    Q_OBJECT
private Q_SLOTS:
    void init() { clear(); }

    void whatAnotherProgramWritesAppears() {
        PlaceStore store(file());
        QVERIFY(store.places().empty());
        QCOMPARE(store.put(gpuPlace("gpu-1")), QString());
        QSignalSpy changed(&store, &PlaceStore::changed);
        writePlaces(file(), {gpuPlace("gpu-1"), gpuPlace("gpu-2")});
        QTRY_COMPARE_WITH_TIMEOUT(store.places().size(), std::size_t(2), 60000);
        QVERIFY(!changed.isEmpty());
    }

    /// The file of a new user is made in a terminal, with its folders. It did not appear, and Save lost it.
    void theFirstPlaceOfAnotherProgramAppears() {
        const fs::path made = fs::path(folder().path().toStdString()) / "config" / "headroom" / "places.json";
        PlaceStore store(made);
        writePlaces(made, {gpuPlace("gpu-1")});
        QTRY_COMPARE_WITH_TIMEOUT(store.places().size(), std::size_t(1), 60000);
        fs::remove_all(made.parent_path().parent_path());
        QTRY_VERIFY_WITH_TIMEOUT(store.places().empty(), 60000);
        writePlaces(made, {gpuPlace("gpu-2")});
        QTRY_COMPARE_WITH_TIMEOUT(store.places().size(), std::size_t(1), 60000);
        // An editor that writes into the file itself.
        QFile written(QString::fromStdString(made.string()));
        QVERIFY(written.open(QIODevice::ReadWrite));
        const QByteArray text = written.readAll().replace("gpu-2", "gpu-3");
        QVERIFY(written.seek(0) && written.write(text) == text.size());
        written.close();
        QTRY_VERIFY_WITH_TIMEOUT(store.find(QStringLiteral("gpu-3")), 60000);
    }

    void whatWasNotReadYetIsKept() {
        PlaceStore store(file());
        writePlaces(file(), {gpuPlace("gpu-1")}); // no event was handled since
        QCOMPARE(store.put(gpuPlace("gpu-2")), QString());
        QVERIFY(store.find(QStringLiteral("gpu-1")) && store.find(QStringLiteral("gpu-2")));
        writePlaces(file(), {gpuPlace("gpu-1"), gpuPlace("gpu-2"), gpuPlace("gpu-3")});
        QCOMPARE(store.remove(QStringLiteral("gpu-1")), QString());
        const auto kept = readPlaces(file());
        QCOMPARE(kept.size(), std::size_t(2));
        QCOMPARE(kept.back().name, std::string("gpu-3"));
        writePlaces(file(), {gpuPlace("gpu-4")});
        QVERIFY(!store.put(gpuPlace("gpu-4")).isEmpty()); // it would be the second of this name
    }

    void aDamagedFileIsNotWrittenOver() {
        QFile damaged(QString::fromStdString(file().string()));
        QVERIFY(damaged.open(QIODevice::WriteOnly) && damaged.write("rubbish") == 7);
        damaged.close();
        PlaceStore store(file());
        QVERIFY(store.problem().contains(QLatin1String("is not JSON")));
        QCOMPARE(store.put(gpuPlace("gpu-1")), store.problem());
        QVERIFY(damaged.open(QIODevice::ReadOnly));
        QCOMPARE(damaged.readAll(), QByteArray("rubbish"));
    }
};

HEADROOM_TEST(PlaceStoreTest)

} // namespace headroom::testing::place_store_test

#include "place_store_test.moc"
