// SPDX-License-Identifier: GPL-3.0-or-later
// Installing the worker at a place, and removing it there.
#include "app/places/place_store.h"
#include "app/places/places_dialog.h"
#include "tests/app/places/places_desk.h"
#include "tests/support/runner.h"

#include <QFile>
#include <QMessageBox>
#include <QPushButton>
#include <QtTest/QtTest>

#include <fstream>

namespace headroom::testing::places_worker_test {

using namespace headroom::app;

namespace fs = std::filesystem;

class PlacesWorkerTest : public QObject, private PlacesDesk {
    Q_OBJECT
private Q_SLOTS:
    void init() { clear(); }

    /// It asked to copy the worker “to ?”, into the root folder.
    void nothingIsInstalledAtAnIncompletePlace() {
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        dialog.show();
        button(dialog, "Install…")->click();
        QVERIFY(!dialog.findChild<QMessageBox*>());
        QVERIFY2(dialog.sentence().contains(QLatin1String("needs a name")), qPrintable(dialog.sentence()));
        QCOMPARE(store.put(gpuPlace("gpu-1")), QString());
        write(dialog, "name", "gpu-1");
        write(dialog, "folder", "~/headroom");
        button(dialog, "Install…")->click();
        QVERIFY(!dialog.findChild<QMessageBox*>());
        QVERIFY2(dialog.sentence().contains(QLatin1String("already")), qPrintable(dialog.sentence()));
    }

    void nothingIsAskedWithoutABundle() {
        QCOMPARE(PlaceStore(file()).put(gpuPlace("gpu-1")), QString());
        qputenv("XDG_CACHE_HOME", folder().filePath(QStringLiteral("empty")).toUtf8());
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        dialog.show();
        button(dialog, "Install…")->click();
        QVERIFY(!dialog.findChild<QMessageBox*>());
        QVERIFY2(dialog.sentence().contains(QLatin1String("There is no worker bundle")), qPrintable(dialog.sentence()));
        qunsetenv("XDG_CACHE_HOME");
    }

    /// What could not be installed was in the list from then on.
    void aPlaceIsKeptOnceTheWorkerIsThere() {
        makeBundle();
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        dialog.show();
        write(dialog, "name", "gpu-1");
        write(dialog, "host", "gpu-1");
        write(dialog, "folder", "~/headroom");
        QString program = folder().filePath(QStringLiteral("worker"));
        const auto install = [&](const char* answer) {
            QFile worker(program);
            QVERIFY(worker.open(QIODevice::WriteOnly | QIODevice::Truncate));
            worker.write("#!/bin/sh\n");
            worker.write(answer);
            worker.close();
            worker.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
            button(dialog, "Install…")->click();
            auto* box = dialog.findChild<QMessageBox*>();
            QVERIFY(box && box->informativeText().contains(QLatin1String("the place is saved")));
            button(*box, "Install")->click();
            QTRY_VERIFY_WITH_TIMEOUT(!dialog.findChild<QMessageBox*>(), 60000);
            QTRY_VERIFY_WITH_TIMEOUT(!dialog.isWorking(), 60000);
        };
        qputenv("HEADROOM_WORKER", program.toUtf8());
        install("echo 'There is no way.' >&2; exit 1\n");
        QVERIFY(store.places().empty());
        QVERIFY2(dialog.isChanged() && dialog.sentence().endsWith(QLatin1String("Not saved yet.")), qPrintable(dialog.sentence()));
        QCOMPARE(dialog.checks().size(), 1); // "Not tested yet"
        install("grep -q gpu-1 \"$HEADROOM_PLACES\" && echo '{\"checks\": [{\"state\": \"passed\", \"what\": \"Worker\"}]}'\n");
        QCOMPARE(store.places().size(), std::size_t(1));
        QVERIFY2(!dialog.isChanged() && dialog.sentence().endsWith(QLatin1String("The place was saved.")), qPrintable(dialog.sentence()));
        qunsetenv("HEADROOM_WORKER");
        qunsetenv("XDG_CACHE_HOME");
    }

    void installingAsksFirst() {
        makeBundle();
        QCOMPARE(PlaceStore(file()).put(gpuPlace("gpu-1")), QString());
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        dialog.show();
        button(dialog, "Install…")->click();
        auto* box = dialog.findChild<QMessageBox*>();
        QVERIFY(box && box->isVisible());
        QVERIFY2(box->text().contains("gpu-1") && box->informativeText().contains("~/headroom/worker"), qPrintable(box->text()));
        box->button(QMessageBox::Cancel)->click();
        QVERIFY(!dialog.sentence().contains("Copying"));
        qunsetenv("XDG_CACHE_HOME");
    }

    void removingTheWorkerAsksFirst() {
        QCOMPARE(PlaceStore(file()).put(gpuPlace("gpu-1")), QString());
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        dialog.show();
        QVERIFY(button(dialog, "Remove worker…")->isEnabled());
        button(dialog, "Remove worker…")->click();
        auto* box = dialog.findChild<QMessageBox*>();
        QVERIFY(box && box->isVisible());
        QVERIFY2(box->text().contains("gpu-1") && box->informativeText().contains("~/headroom/worker"), qPrintable(box->text()));
        box->button(QMessageBox::Cancel)->click();
        QVERIFY(!dialog.sentence().contains("Removing"));
        dialog.showPlace({}); // a new one has nothing to remove
        QVERIFY(!button(dialog, "Remove worker…")->isEnabled());
    }

private:
    /// What is copied to a place, where the window looks for it.
    void makeBundle() const {
        const fs::path cache = folder().filePath("cache").toStdString();
        const fs::path bundle = cache / "headroom" / ("worker-" + QCoreApplication::applicationVersion().toStdString());
        for (const char* folder : {"bin", "libexec"}) {
            fs::create_directories(bundle / folder);
            std::ofstream(bundle / folder / "headroom-worker") << "program";
        }
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(cache.string()));
    }
};

HEADROOM_TEST(PlacesWorkerTest)

} // namespace headroom::testing::places_worker_test

#include "places_worker_test.moc"
