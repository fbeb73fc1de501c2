// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/gamma_field.h"
#include "app/workspaces/design/latency_view.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QScrollArea>
#include <QTest>
#include <QToolTip>
#include <QVBoxLayout>

namespace headroom::testing::gamma_field_test {

using namespace headroom::app;

/// Small parts of DESIGN.
class GammaFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// Qt's field ignored the keys: "2" left the old value, and "1.5" became 1, without a word.
    void aNumberOutsideIsTakenToTheNearestAndSaid_data() {
        QTest::addColumn<QString>("typed");
        QTest::addColumn<double>("taken");
        QTest::addColumn<bool>("said");
        QTest::newRow("inside") << "0.25" << 0.25 << false;
        QTest::newRow("above") << "2" << 1.0 << true;
        QTest::newRow("a little above") << "1.5" << 1.0 << true;
        QTest::newRow("zero") << "0" << 0.001 << true;
    }
    void aNumberOutsideIsTakenToTheNearestAndSaid() {
        QFETCH(QString, typed);
        QFETCH(double, taken);
        QFETCH(bool, said);
        GammaField field;
        field.show();
        QToolTip::hideText();
        field.selectAll();
        QTest::keyClicks(&field, typed);
        QCOMPARE(field.text(), typed); // it can be written
        QTest::keyClick(&field, Qt::Key_Return);
        QCOMPARE(field.value(), taken);
        QCOMPARE(QToolTip::text() == field.limits(), said);
        QToolTip::hideText();
    }

    /// An area that scrolls gives it its least height, which was that of one or two lines.
    void theSentenceUnderTheTimesIsWhole() {
        QScrollArea area;
        area.setWidgetResizable(true);
        area.resize(200, 120); // lower than what is inside
        auto* inside = new QWidget;
        auto* column = new QVBoxLayout(inside);
        auto* view = new LatencyView(nullptr);
        column->addWidget(view);
        area.setWidget(inside);
        area.show();
        const auto* sentence = view->findChild<QLabel*>();
        QVERIFY(sentence);
        view->show({}, {}, 10);
        QCoreApplication::processEvents();
        QVERIFY(!sentence->text().isEmpty() && sentence->heightForWidth(sentence->width()) > 2 * sentence->fontMetrics().height());
        QVERIFY(sentence->height() >= sentence->heightForWidth(sentence->width()));
    }
};

HEADROOM_TEST(GammaFieldTest)

} // namespace headroom::testing::gamma_field_test

#include "gamma_field_test.moc"
