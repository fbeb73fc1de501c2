// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/design/gamma_field.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QLineEdit>
#include <QTest>
#include <QToolTip>

namespace headroom::testing::gamma_field_test {

using namespace headroom::app;

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
};

HEADROOM_TEST(GammaFieldTest)

} // namespace headroom::testing::gamma_field_test

#include "gamma_field_test.moc"
