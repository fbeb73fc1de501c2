// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/field_keys.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QKeyEvent>
#include <QLineEdit>
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
};

HEADROOM_TEST(FieldKeysTest)

} // namespace headroom::testing::field_keys_test

#include "field_keys_test.moc"
