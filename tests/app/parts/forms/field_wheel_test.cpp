// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/column_scroll.h"
#include "app/parts/forms/form_row.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QComboBox>
#include <QLineEdit>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>
#include <QVBoxLayout>
#include <QWheelEvent>

namespace headroom::testing::field_wheel_test {

using namespace headroom::app;

class FieldWheelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theWheelScrollsTheFormAndChangesNoField() {
        ColumnScroll scroll(nullptr);
        auto* column = new QWidget;
        auto* rows = new QVBoxLayout(column);
        auto* number = new QSpinBox;
        number->setRange(0, 1000);
        number->setValue(400);
        auto* list = new QComboBox;
        list->addItems({QStringLiteral("none"), QStringLiteral("demo")});
        auto* both = new QWidget; // a field with a button beside it
        auto* inner = new QVBoxLayout(both);
        inner->addWidget(list);
        rows->addWidget(new FormRow(QStringLiteral("Utterances"), number));
        rows->addWidget(new FormRow(QStringLiteral("Reference"), both));
        rows->addSpacing(2000);
        scroll.setWidget(column);
        scroll.resize(300, 200);
        scroll.show();
        QVERIFY(scroll.verticalScrollBar()->maximum() > 0);
        number->setFocus(); // also that of the field in which one types
        int before = 0;
        for (QWidget* under : QList<QWidget*>{number, number->findChild<QLineEdit*>(), list}) {
            const QPointF middle = under->rect().center();
            QWheelEvent down(middle, under->mapToGlobal(middle), {}, {0, -120}, Qt::NoButton, Qt::NoModifier, Qt::NoScrollPhase, false);
            QApplication::sendEvent(under, &down);
            QVERIFY(scroll.verticalScrollBar()->value() > before);
            before = scroll.verticalScrollBar()->value();
        }
        QCOMPARE(number->value(), 400);
        QCOMPARE(list->currentIndex(), 0);
        for (const QWidget* field : QList<QWidget*>{number, list})
            QVERIFY(field->focusPolicy() == Qt::StrongFocus);
    }
};

HEADROOM_TEST(FieldWheelTest)

} // namespace headroom::testing::field_wheel_test

#include "field_wheel_test.moc"
