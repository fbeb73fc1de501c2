// SPDX-License-Identifier: GPL-3.0-or-later
// *Test* of a place that is not saved.
#include "app/documents/items/paths.h"
#include "app/places/place_store.h"
#include "app/places/places_dialog.h"
#include "tests/support/runner.h"

#include <QAbstractButton>
#include <QFile>
#include <QLineEdit>
#include <QMessageBox>
#include <QTemporaryDir>
#include <QTest>

namespace headroom::testing::place_tested_test {

using namespace headroom::app;

class PlaceTestedTest : public QObject {
    Q_OBJECT

    static void write(const PlacesDialog& dialog, const char* field, const char* text) {
        dialog.findChild<QLineEdit*>(QLatin1String(field))->setText(QLatin1String(text));
    }

private Q_SLOTS:
    void cleanup() { qunsetenv("HEADROOM_WORKER"); }

    /// Test kept the place, and Close did not ask.
    void testingSavesNothing() {
        const QTemporaryDir folder;
        const auto file = toPath(folder.path()) / "places.json";
        const auto worker = toPath(folder.path()) / "worker";
        QFile script(worker);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\nsed -n 's/.*\"host\": *\"\\([^\"]*\\)\".*/{\"checks\": [{\"state\": \"failed\", \"what\": \"Host\", \"value\": \"\", "
                     "\"sentence\": \"No host \\1.\"}]}/p' \"$HEADROOM_PLACES\"\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("HEADROOM_WORKER", QFile::encodeName(toQString(worker)));
        PlaceStore store(file);
        PlacesDialog dialog(&store);
        dialog.show();
        write(dialog, "name", "gpu 9");
        dialog.test();
        QVERIFY2(dialog.sentence().contains(QLatin1String("missing")), qPrintable(dialog.sentence()));
        write(dialog, "host", "gpu-9.invalid");
        write(dialog, "folder", "~/headroom");
        dialog.test();
        QTRY_COMPARE_WITH_TIMEOUT(dialog.sentence(), QStringLiteral("No host gpu-9.invalid. Not saved yet."), 60000);
        QVERIFY(store.places().empty());
        QVERIFY(!std::filesystem::exists(file));
        dialog.close();
        const auto* box = dialog.findChild<QMessageBox*>();
        QVERIFY(box && box->text() == QLatin1String("Save the new place?"));
        for (QAbstractButton* button : box->buttons())
            if (button->text() == QLatin1String("Discard"))
                button->click();
        QVERIFY(store.places().empty());
    }

    /// "… places install two Not saved yet." was the line to copy, and it knew no such place.
    void noLineIsOfferedThatNeedsASavedPlace_data() {
        QTest::addColumn<QString>("found");
        QTest::addColumn<QString>("said");
        QTest::addColumn<QString>("line");
        QTest::newRow("no worker") << "There is no worker there yet. Install it: headroom-worker places install two"
                                   << "There is no worker there yet. Not saved yet. Install… copies the worker there and saves the place." << "";
        QTest::newRow("another version")
            << "The worker there is version 0.1.0, but this one is 0.2.0. Install the same version: Install it: headroom-worker places install two"
            << "The worker there is version 0.1.0, but this one is 0.2.0. Not saved yet. Install… copies the worker there and saves the place." << "";
        QTest::newRow("another line") << "The host key of two is not known yet. Type once in a terminal: ssh two"
                                      << "Not saved yet. The host key of two is not known yet. Type once in a terminal: ssh two" << "ssh two";
    }
    void noLineIsOfferedThatNeedsASavedPlace() {
        QFETCH(QString, found);
        QFETCH(QString, said);
        QFETCH(QString, line);
        const QTemporaryDir folder;
        const auto worker = toPath(folder.path()) / "worker";
        QFile script(worker);
        QVERIFY(script.open(QIODevice::WriteOnly));
        script.write("#!/bin/sh\necho '{\"checks\": [{\"state\": \"failed\", \"what\": \"Worker\", \"value\": \"\", \"sentence\": \"" + found.toUtf8() + "\"}]}'\n");
        script.close();
        script.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
        qputenv("HEADROOM_WORKER", QFile::encodeName(toQString(worker)));
        PlaceStore store(toPath(folder.path()) / "places.json");
        PlacesDialog dialog(&store);
        dialog.show();
        write(dialog, "name", "two");
        write(dialog, "host", "two");
        write(dialog, "folder", "~/headroom");
        dialog.test();
        QTRY_COMPARE_WITH_TIMEOUT(dialog.sentence(), said, 60000);
        QCOMPARE(PlacesDialog::lineToType(dialog.sentence()), line);
    }
};

HEADROOM_TEST(PlaceTestedTest)

} // namespace headroom::testing::place_tested_test

#include "place_tested_test.moc"
