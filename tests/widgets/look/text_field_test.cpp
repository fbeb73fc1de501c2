// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "widgets/look/text_field.h"

#include <QApplication>
#include <QClipboard>
#include <QTest>

namespace headroom::testing::text_field_test {

using namespace headroom::widgets;

/// Qt's own field ends the program here. (That there is no other in ours, tests/layering knows.)
class TextFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void anEmptyClipboardPastesNothing() {
        QApplication::clipboard()->setMimeData(new QMimeData); // what X11 has before anything is copied
        TextField field;
        field.setPlainText(QStringLiteral("4 full"));
        QTest::keyClick(&field, Qt::Key_V, Qt::ControlModifier);
        QTest::keyClick(&field, Qt::Key_Insert, Qt::ShiftModifier);
        field.paste();
        QCOMPARE(field.toPlainText(), QStringLiteral("4 full"));
        QVERIFY(!field.document()->isUndoAvailable());
    }

    void whatWasCopiedIsPasted() {
        QApplication::clipboard()->setText(QStringLiteral("2 local 9\n"));
        TextField field;
        QTest::keyClick(&field, Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(field.toPlainText(), QStringLiteral("2 local 9\n"));
    }
};

HEADROOM_TEST(TextFieldTest)

} // namespace headroom::testing::text_field_test

#include "text_field_test.moc"
