// SPDX-License-Identifier: GPL-3.0-or-later
// The guide's window: its pages, back, contents, search and Esc.
#include "app/window/guide.h"
#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QLineEdit>
#include <QTest>
#include <QTextBlock>

namespace headroom::testing::guide_test {

using namespace headroom::app;

namespace {

/// Whether a text below a heading has kept the heading's size or weight.
bool bodyLooksLikeAHeading(const GuidePage& page) {
    for (QTextBlock block = page.document()->begin(); block.isValid(); block = block.next())
        for (auto part = block.begin(); block.blockFormat().headingLevel() == 0 && !part.atEnd(); ++part)
            if (part.fragment().charFormat().hasProperty(QTextFormat::FontSizeAdjustment))
                return true;
    return false;
}

} // namespace

class GuideTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void backShowsThePageAsItWas() {
        Guide guide;
        QVERIFY(guide.showPage(QStringLiteral("analyse.md")));
        QVERIFY(guide.showPage(QStringLiteral("loop.md")));
        guide.pageView()->backward();
        QCOMPARE(guide.page(), QStringLiteral("analyse.md"));
        QVERIFY(!bodyLooksLikeAHeading(*guide.pageView()));
        guide.pageView()->forward();
        QCOMPARE(guide.page(), QStringLiteral("loop.md"));
        QVERIFY(!bodyLooksLikeAHeading(*guide.pageView()));
    }

    void theContentsListEveryPageAndFollow() {
        Guide guide;
        QVERIFY(guide.showPage(QStringLiteral("words.md")));
        QVERIFY(guide.contents()->count() >= 9);
        QCOMPARE(guide.contents()->currentData().toString(), QStringLiteral("words.md"));
        const int row = guide.contents()->findData(QStringLiteral("studies.md"));
        guide.contents()->setCurrentIndex(row);
        Q_EMIT guide.contents()->activated(row);
        QCOMPARE(guide.page(), QStringLiteral("studies.md"));
    }

    void aSearchGoesOnInTheOtherPages() {
        Guide guide;
        QVERIFY(guide.showPage(QStringLiteral("analyse.md")));
        guide.searchField()->setText(QStringLiteral("relaxed"));
        QStringList pages;
        for (int i = 0; i < 40; ++i) {
            QTest::keyClick(guide.searchField(), Qt::Key_Return);
            QVERIFY(guide.pageView()->textCursor().hasSelection());
            if (!pages.contains(guide.page()))
                pages << guide.page();
        }
        QVERIFY2(pages.size() > 1, qPrintable(pages.join(u' ')));
    }

    void escClearsTheSearchThenCloses() {
        Guide guide;
        QVERIFY(guide.showPage(QStringLiteral("analyse.md")));
        guide.show();
        QVERIFY(QTest::qWaitForWindowExposed(&guide));
        guide.searchField()->setFocus();
        guide.searchField()->setText(QStringLiteral("x"));
        QTest::keyClick(guide.searchField(), Qt::Key_Escape);
        QVERIFY(guide.isVisible() && guide.searchField()->text().isEmpty());
        QTest::keyClick(guide.pageView(), Qt::Key_Escape);
        QVERIFY(!guide.isVisible());
    }
};

HEADROOM_TEST(GuideTest)

} // namespace headroom::testing::guide_test

#include "guide_test.moc"
