// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/field_keys.h"
#include "app/parts/access_keys.h"
#include "tests/support/runner.h"

#include <QAbstractItemView>
#include <QAction>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPushButton>
#include <QSet>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::field_keys_test {

using namespace headroom::app;

namespace {

/// A field that claims Ctrl+E and Ctrl+Left, as Qt's do under X11, whatever the platform of the test.
class ClaimingField : public QLineEdit {
public:
    using QLineEdit::QLineEdit;

protected:
    bool event(QEvent* event) override {
        if (event->type() == QEvent::ShortcutOverride)
            event->accept();
        return event->type() == QEvent::ShortcutOverride || QLineEdit::event(event);
    }
};

} // namespace

class FieldKeysTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void shortcutsWorkWhileAFieldHasTheFocus() {
        QWidget window;
        ClaimingField field(&window);
        QAction exportFigure(&window), word(&window);
        exportFigure.setShortcut(QKeySequence("Ctrl+E"));
        word.setShortcut(QKeySequence("Ctrl+Left"));
        window.addActions({&exportFigure, &word});
        window.show();
        field.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QSignalSpy exported(&exportFigure, &QAction::triggered), moved(&word, &QAction::triggered);
        QTest::keyClick(&field, Qt::Key_E, Qt::ControlModifier);
        QCOMPARE(exported.count(), 0); // the field keeps the key
        FieldKeys keys;
        qApp->installEventFilter(&keys);
        QTest::keyClick(&field, Qt::Key_E, Qt::ControlModifier);
        QCOMPARE(exported.count(), 1);
        QTest::keyClick(&field, Qt::Key_Left, Qt::ControlModifier);
        QCOMPARE(moved.count(), 0); // what moves in a text stays the field's
    }

    /// Space played while the focus was on a check box, which could not be ticked without the mouse.
    void spacePressesTheButtonThatTabReached() {
        QWidget window;
        QLineEdit before(&window);
        QCheckBox box(&window);
        QAction play(&window);
        play.setShortcut(QKeySequence(Qt::Key_Space));
        window.addAction(&play);
        FieldKeys keys;
        qApp->installEventFilter(&keys);
        window.show();
        before.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QSignalSpy played(&play, &QAction::triggered);
        QTest::keyClick(&before, Qt::Key_Tab);
        QVERIFY(box.hasFocus());
        QTest::keyClick(&box, Qt::Key_Space);
        QVERIFY(box.isChecked());
        QCOMPARE(played.count(), 0);
        QFocusEvent away(QEvent::FocusOut, Qt::ActiveWindowFocusReason), back(QEvent::FocusIn, Qt::ActiveWindowFocusReason);
        QApplication::sendEvent(&box, &away); // a dialogue came and went
        QApplication::sendEvent(&box, &back);
        QTest::keyClick(&box, Qt::Key_Space);
        QVERIFY(!box.isChecked());
        QCOMPARE(played.count(), 0);
        QTest::mouseClick(&box, Qt::LeftButton, {}, QPoint(5, box.height() / 2));
        QTest::keyClick(&box, Qt::Key_Space); // who clicks goes on listening
        QCOMPARE(played.count(), 1);
    }

    /// "T" typed in an open list showed the decoder, and "E" in a field with a list made the axes equal.
    void whatIsTypedIntoAListStaysThere() {
        QWidget window;
        QComboBox field(&window);
        field.addItems({QStringLiteral("HH"), QStringLiteral("TH"), QStringLiteral("EH")});
        QAction decoder(&window), axes(&window), hide(&window);
        decoder.setShortcut(QKeySequence("Shift+T"));
        axes.setShortcut(QKeySequence("E"));
        hide.setShortcut(QKeySequence("Ctrl+H"));
        for (QAction* action : {&decoder, &axes, &hide}) {
            action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
            window.addAction(action);
        }
        window.show();
        field.setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&window));
        QSignalSpy shown(&decoder, &QAction::triggered), equal(&axes, &QAction::triggered), hidden(&hide, &QAction::triggered);
        const auto typeInTheList = [&] {
            field.view()->keyboardSearch({});
            field.showPopup();
            if (!QTest::qWaitFor([&] { return QApplication::activePopupWidget() == field.view()->window(); }, 60000))
                return -1;
            QTest::keyClick(field.view(), Qt::Key_T, Qt::ShiftModifier);
            const int row = field.view()->currentIndex().row();
            field.hidePopup();
            return row;
        };
        QCOMPARE(typeInTheList(), 0);
        QTest::keyClick(&field, Qt::Key_E);
        QCOMPARE(shown.count(), 1); // what Qt does by itself
        QCOMPARE(equal.count(), 1);
        QCOMPARE(field.currentIndex(), 0);
        FieldKeys keys;
        qApp->installEventFilter(&keys);
        QCOMPARE(typeInTheList(), 1);
        field.view()->keyboardSearch({}); // what is typed next begins anew
        QTest::keyClick(&field, Qt::Key_E);
        QCOMPARE(shown.count(), 1);
        QCOMPARE(equal.count(), 1);
        QCOMPARE(field.currentIndex(), 2);
        QTest::keyClick(&field, Qt::Key_H, Qt::ControlModifier);
        QCOMPARE(hidden.count(), 1); // no letter
        QTest::keyClick(&window, Qt::Key_E);
        QCOMPARE(equal.count(), 2);
    }

    void questionsHaveAccessKeys() {
        FieldKeys keys;
        qApp->installEventFilter(&keys);
        QMessageBox box(QMessageBox::NoIcon, QStringLiteral("Unsaved changes"), QStringLiteral("Save?"), QMessageBox::Cancel);
        box.addButton(QStringLiteral("Save"), QMessageBox::AcceptRole);
        box.addButton(QStringLiteral("Save as…"), QMessageBox::AcceptRole);
        box.addButton(QStringLiteral("Discard"), QMessageBox::DestructiveRole);
        box.show();
        QSet<QChar> letters;
        for (const QAbstractButton* button : box.buttons()) {
            const qsizetype mark = button->text().indexOf(u'&');
            QVERIFY2(mark >= 0, qPrintable(button->text()));
            letters << button->text()[mark + 1].toLower();
        }
        QCOMPARE(letters.size(), 4);
    }

    /// Each dialogue had to ask for them, and five did not.
    void everyDialogueHasAccessKeys() {
        FieldKeys keys;
        qApp->installEventFilter(&keys);
        QDialog dialog;
        auto* start = new QPushButton(QStringLiteral("Start"), &dialog);
        auto* close = new QPushButton(QStringLiteral("Close"), &dialog);
        QLineEdit field(&dialog);
        QLabel label(QStringLiteral("Seeds"), &dialog);
        label.setBuddy(&field);
        setTextWithKey(start, QStringLiteral("Begin"));
        QCOMPARE(start->text(), QStringLiteral("Begin")); // not yet
        for (int time = 0; time < 2; ++time) {
            dialog.show();
            QCOMPARE(start->text(), QStringLiteral("&Begin"));
            QCOMPARE(close->text(), QStringLiteral("&Close"));
            QCOMPARE(label.text(), QStringLiteral("&Seeds"));
            dialog.hide();
        }
        setTextWithKey(start, QStringLiteral("Stop"));
        QCOMPARE(start->text(), QStringLiteral("S&top"));
        setTextWithKey(start, QStringLiteral("Begin"));
        QCOMPARE(start->text(), QStringLiteral("&Begin"));
    }
};

HEADROOM_TEST(FieldKeysTest)

} // namespace headroom::testing::field_keys_test

#include "field_keys_test.moc"
