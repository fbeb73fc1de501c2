// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/place_checker.h"
#include "app/places/place_store.h"
#include "app/places/places_dialog.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSignalSpy>
#include <QSet>
#include <QTemporaryDir>
#include <QtTest/QtTest>

#include <fstream>

namespace headroom::testing::places_dialog_test {

using namespace headroom::app;

namespace fs = std::filesystem;

Place gpuPlace(const std::string& name) {
    Place place;
    place.name = name;
    place.host = name;
    place.folder = "~/headroom";
    return place;
}

class PlacesDialogTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { m_folder = std::make_unique<QTemporaryDir>(); }

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
        const fs::path made = fs::path(m_folder->path().toStdString()) / "config" / "headroom" / "places.json";
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
    void fieldsAndButtonsHaveAccessKeys() {
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        QStringList without;
        QSet<QChar> keys;
        int fields = 0;
        const auto look = [&](const QString& text) {
            ++fields;
            if (const qsizetype mark = text.indexOf(u'&'); mark >= 0)
                keys << text[mark + 1].toLower();
            else
                without << text;
        };
        for (const QPushButton* button : dialog.findChildren<QPushButton*>())
            if (!button->text().isEmpty())
                look(button->text());
        for (const QLabel* label : dialog.findChildren<QLabel*>())
            if (label->buddy())
                look(label->text());
        QVERIFY2(without.isEmpty(), qPrintable(without.join(u'\n'))); // Worker and Further options found every letter taken
        QCOMPARE(keys.size(), fields);
        QVERIFY(fields > 15);
    }
    void fieldsFollowAnotherProgramUntilTheyAreChanged() {
        QCOMPARE(PlaceStore(file()).put(gpuPlace("gpu-1")), QString());
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        const auto writeHost = [&](const char* host) {
            Place place = gpuPlace("gpu-1");
            place.host = host;
            writePlaces(file(), {gpuPlace("gpu-0"), place});
        };
        writeHost("second");
        QVERIFY(dialog.save()); // as Test does first
        QCOMPARE(store.find(QStringLiteral("gpu-1"))->host, std::string("second"));
        QVERIFY(!dialog.isChanged());
        write(dialog, "host", "mine");
        writeHost("third");
        store.reload();
        QCOMPARE(dialog.place().host, std::string("mine"));
        QVERIFY2(dialog.sentence().contains(QLatin1String("Another program has changed gpu-1")), qPrintable(dialog.sentence()));
        QVERIFY(dialog.save());
        QCOMPARE(readPlaces(file()).back().host, std::string("mine"));
        writePlaces(file(), {gpuPlace("gpu-0")});
        store.reload();
        QCOMPARE(dialog.place().name, std::string("gpu-0"));
        QVERIFY2(dialog.sentence().contains(QLatin1String("has removed gpu-1")), qPrintable(dialog.sentence()));
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
    void aPlaceIsAddedChangedAndRemoved() {
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        write(dialog, "name", "gpu-1");
        write(dialog, "host", "-oProxyCommand=x");
        write(dialog, "folder", "~/headroom");
        QVERIFY(!dialog.save());
        QVERIFY2(dialog.sentence().contains(QLatin1String("must not begin with")),
                 qPrintable(dialog.sentence()));
        write(dialog, "host", "anna@gpu-1");
        QVERIFY(dialog.save());
        QCOMPARE(store.places().front().host, std::string("anna@gpu-1"));
        write(dialog, "name", "gpu one");
        QVERIFY(dialog.save()); // renamed, not copied
        QCOMPARE(store.places().size(), std::size_t(1));
        QCOMPARE(store.places().front().name, std::string("gpu one"));
        QCOMPARE(store.put(gpuPlace("gpu-2")), QString());
        write(dialog, "name", "gpu-2");
        QVERIFY(!dialog.save());
        QVERIFY(dialog.sentence().contains(QLatin1String("already")));
        // It was gone at the click, without a question or a word.
        button(dialog, "Remove…")->click();
        QCOMPARE(store.places().size(), std::size_t(2));
        const auto* box = dialog.findChild<QMessageBox*>();
        QVERIFY(box && box->text() == QLatin1String("Remove gpu one from the list?"));
        button(*box, "Cancel")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.findChild<QMessageBox*>(), 60000);
        QCOMPARE(store.places().size(), std::size_t(2));
        button(dialog, "Remove…")->click();
        button(*dialog.findChild<QMessageBox*>(), "Remove")->click();
        QCOMPARE(store.places().size(), std::size_t(1));
        QCOMPARE(dialog.place().name, std::string("gpu-2"));
        QCOMPARE(dialog.sentence(), QStringLiteral("gpu one is no longer in the list."));
    }

    /// It pressed Add, and the form was empty.
    void enterInAFieldSaves() {
        QCOMPARE(PlaceStore(file()).put(gpuPlace("gpu-1")), QString());
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        dialog.show();
        dialog.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        auto* host = dialog.findChild<QLineEdit*>("host");
        host->setFocus();
        host->setText(QStringLiteral("anna@gpu-1"));
        QTest::keyClick(host, Qt::Key_Return);
        QCOMPARE(store.places().front().host, std::string("anna@gpu-1"));
        QCOMPARE(dialog.place().name, std::string("gpu-1"));
    }
    void theDeviceIsChosen() {
        PlaceStore store(file());
        QCOMPARE(store.put(gpuPlace("gpu-1")), QString());
        PlacesDialog dialog(&store);
        auto* device = dialog.findChild<QComboBox*>("device");
        QCOMPARE(device->currentText(), QStringLiteral("auto"));
        device->setCurrentText(QStringLiteral("all"));
        QVERIFY(dialog.save());
        QCOMPARE(store.places().front().device, std::string("all"));
        device->setCurrentText(QStringLiteral("the big one"));
        QVERIFY(!dialog.save());
        QVERIFY2(dialog.sentence().contains(QLatin1String("is not a device of a place")), qPrintable(dialog.sentence()));
        dialog.showPlace(QStringLiteral("gpu-1"));
        QCOMPARE(device->currentText(), QStringLiteral("all"));
    }
    void anAnswerOfTheWorkerBecomesLines() {
        const auto checks = PlaceChecker::checksIn(
            R"({"format": "headroom/place-test", "version": 1, "place": "x", "usable": false, "checks": [
                {"state": "passed", "what": "Processor", "value": "x86_64", "sentence": ""},
                {"state": "failed", "what": "glibc", "value": "2.31", "sentence": "glibc 2.31 is older."},
                {"state": "skipped", "what": "Devices", "value": "", "sentence": ""}]})");
        QCOMPARE(checks.size(), 3);
        QVERIFY(checks[0].state == Check::State::Passed && checks[0].value == QLatin1String("x86_64"));
        QVERIFY(checks[1].state == Check::State::Failed &&
                checks[1].toolTip == QLatin1String("glibc 2.31 is older."));
        QVERIFY(checks[2].state == Check::State::Unknown && checks[2].value == QLatin1String("after glibc"));
        QVERIFY(PlaceChecker::checksIn("rubbish").isEmpty());
    }

    void aLineToTypeIsCopied() {
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        QCOMPARE(PlacesDialog::lineToType("The host key of gpu-1 is not known yet. Type once in a terminal, and compare the "
                                          "fingerprint: ssh gpu-1"),
                 QString("ssh gpu-1"));
        QCOMPARE(PlacesDialog::lineToType("headroom-worker does not start there. Install it: headroom-worker places install gpu-1"),
                 QString("headroom-worker places install gpu-1"));
        QCOMPARE(PlacesDialog::lineToType("Everything that a run needs is there."), QString());
    }
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
        qputenv("XDG_CACHE_HOME", m_folder->filePath(QStringLiteral("empty")).toUtf8());
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
        QString program = m_folder->filePath(QStringLiteral("worker"));
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

    void unsavedChangesAreAskedFor() {
        QCOMPARE(PlaceStore(file()).put(gpuPlace("gpu-1")), QString());
        QCOMPARE(PlaceStore(file()).put(gpuPlace("gpu-2")), QString());
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        dialog.show();
        const auto answer = [&](const char* text) {
            const auto* box = dialog.findChild<QMessageBox*>();
            QVERIFY(box && box->isVisible());
            QVERIFY(box->text().contains(QLatin1String("gpu-1")));
            button(*box, text)->click();
            QTRY_VERIFY_WITH_TIMEOUT(!dialog.findChild<QMessageBox*>(), 60000);
        };
        QVERIFY(dialog.save());
        QVERIFY(!dialog.isChanged());
        dialog.findChild<QComboBox*>("kind")->setCurrentIndex(1);
        QCOMPARE(dialog.sentence(), QStringLiteral("Not saved yet."));
        dialog.reject(); // Esc
        answer("Cancel");
        QVERIFY(dialog.isVisible() && dialog.isChanged());
        auto* list = dialog.findChild<QListWidget*>();
        list->setCurrentRow(1);
        answer("Cancel");
        QVERIFY(list->currentRow() == 0 && dialog.place().name == "gpu-1");
        list->setCurrentRow(1);
        answer("Save");
        QVERIFY(list->currentRow() == 1 && dialog.place().name == "gpu-2");
        QVERIFY(store.places().front().kind == Place::Kind::Slurm);
        list->setCurrentRow(0);
        QVERIFY(!dialog.findChild<QMessageBox*>()); // nothing was changed
        write(dialog, "host", "another");
        dialog.close();
        answer("Discard");
        QVERIFY(!dialog.isVisible());
        QCOMPARE(store.places().front().host, std::string("gpu-1"));
    }

    /// Cancel asked again at once: the list chose its first place when it got the focus back.
    void cancelKeepsTheNewPlace() {
        QCOMPARE(PlaceStore(file()).put(gpuPlace("gpu-1")), QString());
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        dialog.show();
        dialog.activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(&dialog));
        button(dialog, "Add")->click();
        write(dialog, "name", "c9");
        auto* list = dialog.findChild<QListWidget*>();
        list->setFocus();
        QVERIFY(list->hasFocus());
        QVERIFY(!dialog.findChild<QMessageBox*>());
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
        auto* box = dialog.findChild<QMessageBox*>();
        QVERIFY(box && box->text() == QLatin1String("Save the new place?"));
        button(*box, "Cancel")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.findChild<QMessageBox*>(), 60000);
        dialog.findChild<QLineEdit*>("name")->setFocus();
        list->setFocus();
        QCoreApplication::processEvents();
        QVERIFY(!dialog.findChild<QMessageBox*>());
        QCOMPARE(dialog.place().name, std::string("c9"));
        QVERIFY(list->currentItem() && list->currentItem()->text() == QLatin1String("New place"));
        QVERIFY(!list->item(0)->isSelected());
        // Save of an incomplete one says what is missing, once.
        QTest::mouseClick(list->viewport(), Qt::LeftButton, {}, list->visualItemRect(list->item(0)).center());
        box = dialog.findChild<QMessageBox*>();
        QVERIFY(box);
        button(*box, "Save")->click();
        QTRY_VERIFY_WITH_TIMEOUT(!dialog.findChild<QMessageBox*>(), 60000);
        QVERIFY2(dialog.sentence().contains(QLatin1String("host is missing")), qPrintable(dialog.sentence()));
        QCOMPARE(dialog.place().name, std::string("c9"));
        write(dialog, "folder", "~/headroom");
        write(dialog, "host", "c9");
        QVERIFY(dialog.save());
        QCOMPARE(list->count(), 2);
        QCOMPARE(list->currentItem()->text(), QStringLiteral("c9"));
    }

    /// *Device* was cut at its lower edge while Copies was shown.
    void everyFieldHasItsHeight() {
        widgets::Theme::apply(QStringLiteral("light"));
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        dialog.showCopies();
        dialog.findChild<QComboBox*>("kind")->setCurrentIndex(1);
        QTest::qWait(50); // the layout follows
        int above = -1;
        for (const char* name : {"name", "kind", "host", "folder", "worker", "device"}) {
            const auto* field = dialog.findChild<QWidget*>(QString::fromLatin1(name));
            QVERIFY2(field->y() > above, name);
            QVERIFY2(field->height() >= field->minimumSizeHint().height(), name);
            above = field->geometry().bottom();
            QVERIFY2(above < field->parentWidget()->height(), name);
        }
    }

    void aLongNameEndsWithinTheList() {
        const std::string name = "a place with quite a long name that does not fit into the list";
        QCOMPARE(PlaceStore(file()).put([&] {
            Place place = gpuPlace("gpu-1");
            place.name = name;
            return place;
        }()), QString());
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        const auto* list = dialog.findChild<QListWidget*>();
        QVERIFY(list->visualItemRect(list->item(0)).width() <= list->viewport()->width());
        QCOMPARE(list->item(0)->toolTip(), QString::fromStdString(name));
    }

private:
    /// What is copied to a place, where the window looks for it.
    void makeBundle() const {
        const fs::path cache = m_folder->filePath("cache").toStdString();
        const fs::path bundle = cache / "headroom" / ("worker-" + QCoreApplication::applicationVersion().toStdString());
        for (const char* folder : {"bin", "libexec"}) {
            fs::create_directories(bundle / folder);
            std::ofstream(bundle / folder / "headroom-worker") << "program";
        }
        qputenv("XDG_CACHE_HOME", QByteArray::fromStdString(cache.string()));
    }
    fs::path file() const { return m_folder->filePath("places.json").toStdString(); }
    static void write(const PlacesDialog& dialog, const char* field, const char* text) {
        dialog.findChild<QLineEdit*>(QString::fromUtf8(field))->setText(QString::fromUtf8(text));
    }
    static QPushButton* button(const QDialog& dialog, const char* text) {
        for (auto* one : dialog.findChildren<QPushButton*>())
            if (one->text().remove(u'&') == QString::fromUtf8(text))
                return one;
        return nullptr;
    }
    std::unique_ptr<QTemporaryDir> m_folder;
};

HEADROOM_TEST(PlacesDialogTest)

} // namespace headroom::testing::places_dialog_test

#include "places_dialog_test.moc"
