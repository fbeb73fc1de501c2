// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/field_wheel.h"
#include "tests/support/runner.h"
#include "tests/support/wheel.h"
#include "widgets/look/theme.h"

#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QSpinBox>
#include <QTest>
#include <QVBoxLayout>

namespace headroom::testing::field_wheel_test {

using namespace headroom::widgets;

namespace {

/// A form of one field of each kind, higher than what it scrolls in.
struct Form {
    explicit Form(int below) {
        auto* column = new QWidget;
        auto* rows = new QVBoxLayout(column);
        number->setRange(0, 1000);
        number->setValue(400);
        list->addItems({QStringLiteral("none"), QStringLiteral("demo"), QStringLiteral("both")});
        list->setCurrentIndex(1);
        slider->setValue(50);
        for (QWidget* field : fields())
            rows->addWidget(field);
        rows->addSpacing(below);
        rows->addStretch(1);
        scroll.setWidgetResizable(true);
        scroll.setWidget(column);
        scroll.resize(300, 200);
        scroll.show();
    }
    QList<QWidget*> fields() const { return {number, list, slider}; }

    QScrollArea scroll;
    QSpinBox* number = new QSpinBox;
    QComboBox* list = new QComboBox;
    QSlider* slider = new QSlider(Qt::Horizontal);
};

} // namespace

class FieldWheelTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { Theme::apply(QStringLiteral("light")); }

    void theWheelScrollsTheFormAndChangesNoField() {
        Form form(2000);
        QVERIFY(QTest::qWaitForWindowExposed(&form.scroll));
        QScrollBar* bar = form.scroll.verticalScrollBar();
        QVERIFY(bar->maximum() > 1000);
        form.number->setFocus(); // also that of the field in which one types
        QList<QWidget*> all = form.fields();
        all << form.number->findChild<QLineEdit*>();
        for (QWidget* under : all) {
            const int before = bar->value();
            turnWheel(under, -1);
            QVERIFY2(bar->value() > before, under->metaObject()->className());
        }
        for (int turn = 0; turn < 5; ++turn) // a page at most each
            turnWheel(form.list, 100);
        QCOMPARE(bar->value(), 0);
        QCOMPARE(form.number->value(), 400);
        QCOMPARE(form.list->currentIndex(), 1);
        QCOMPARE(form.slider->value(), 50);
    }

    void whereNothingScrollsTheWheelDoesNothing() {
        Form form(0);
        QVERIFY(QTest::qWaitForWindowExposed(&form.scroll));
        QCOMPARE(form.scroll.verticalScrollBar()->maximum(), 0);
        for (QWidget* under : form.fields())
            for (const int notches : {1, -2})
                turnWheel(under, notches);
        QCOMPARE(form.number->value(), 400);
        QCOMPARE(form.list->currentIndex(), 1);
        QCOMPARE(form.slider->value(), 50);
    }

    void theWheelMovesNoFocus() {
        Form form(2000);
        auto* elsewhere = new QLineEdit(&form.scroll);
        elsewhere->show();
        elsewhere->setFocus();
        QVERIFY(QTest::qWaitForWindowActive(&form.scroll));
        for (QWidget* under : form.fields()) {
            turnWheel(under, -1);
            QCOMPARE(QApplication::focusWidget(), static_cast<QWidget*>(elsewhere));
        }
    }

    void aScrollBarKeepsItsWheel() {
        Form form(2000);
        QVERIFY(QTest::qWaitForWindowExposed(&form.scroll));
        turnWheel(form.scroll.verticalScrollBar(), -1);
        QVERIFY(form.scroll.verticalScrollBar()->value() > 0);
    }
};

HEADROOM_TEST(FieldWheelTest)

} // namespace headroom::testing::field_wheel_test

#include "field_wheel_test.moc"
