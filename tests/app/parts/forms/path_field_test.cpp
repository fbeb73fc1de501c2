// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/forms/path_field.h"

#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QTest>

namespace headroom::testing::path_field_test {

using namespace headroom::app;

class PathFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void aPathThatDoesNotFitShowsItsEnd() {
        PathField field;
        field.resize(160, 28);
        field.show();
        QVERIFY(QTest::qWaitForWindowExposed(&field));
        field.clearFocus();
        field.setText(QStringLiteral("/data"));
        QCOMPARE(field.shownText(), QStringLiteral("/data"));
        const QString path = QStringLiteral("/home/somebody/with/a/long/way/to/corpora/demo");
        field.setText(path);
        QVERIFY2(field.shownText().startsWith(QChar(0x2026)) && field.shownText().endsWith(QStringLiteral("corpora/demo")),
                 qPrintable(field.shownText()));
        QCOMPARE(field.toolTip(), path);
        QVERIFY(!field.grab().isNull());
        field.setFocus();
        QTRY_VERIFY_WITH_TIMEOUT(field.hasFocus(), 60000);
        QCOMPARE(field.shownText(), path); // to be edited
    }
};

HEADROOM_TEST(PathFieldTest)

} // namespace headroom::testing::path_field_test

#include "path_field_test.moc"
