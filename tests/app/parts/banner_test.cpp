// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/banner.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QLabel>
#include <QTest>
#include <QTextDocument>

namespace headroom::testing::banner_test {

using namespace headroom::app;

class BannerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// "30.00" ended a line, and "s" began the next.
    void aNumberStaysWithItsUnit() {
        Banner banner;
        const QString what = QStringLiteral("a <b> is 40.42\u202Fs long."), more = QStringLiteral("Select 30.00\u202Fs.");
        banner.say(Banner::Kind::Warning, what, more);
        QString shown;
        for (const QLabel* label : banner.findChildren<QLabel*>())
            if (!label->text().isEmpty()) {
                QTextDocument text;
                text.setHtml(label->text());
                shown = text.toRawText();
            }
        QCOMPARE(shown, what + QLatin1Char(' ') + more);
        QCOMPARE(banner.text(), shown);
    }
};

HEADROOM_TEST(BannerTest)

} // namespace headroom::testing::banner_test

#include "banner_test.moc"
