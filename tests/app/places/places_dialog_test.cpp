// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/access_keys.h"
#include "app/places/place_checker.h"
#include "app/places/place_store.h"
#include "app/places/places_dialog.h"
#include "tests/app/places/places_desk.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QSet>
#include <QtTest/QtTest>

namespace headroom::testing::places_dialog_test {

using namespace headroom::app;

class PlacesDialogTest : public QObject, private PlacesDesk {
    Q_OBJECT
private Q_SLOTS:
    void init() { clear(); }

    void fieldsAndButtonsHaveAccessKeys() {
        PlaceStore store(file());
        PlacesDialog dialog(&store);
        giveAccessKeys(&dialog); // as when it is shown in the window
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
        QCOMPARE(dialog.sentence(), QStringLiteral("Not saved yet.")); // the mistake stayed
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
};

HEADROOM_TEST(PlacesDialogTest)

} // namespace headroom::testing::places_dialog_test

#include "places_dialog_test.moc"
