// SPDX-License-Identifier: GPL-3.0-or-later
// The guide's window: its pages, back, contents, search and Esc.
#include "app/window/guide.h"

#include "app/documents/items/paths.h"
#include "tests/support/app_fixtures.h"
#include "tests/support/runner.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QComboBox>
#include <QLineEdit>
#include <QScreen>
#include <QScrollBar>
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

/// What is wrong with how a page stands there; empty: nothing.
QString wrongWith(const GuidePage& page) {
    int titles = 0;
    for (QTextBlock block = page.document()->begin(); block.isValid(); block = block.next()) {
        titles += block.blockFormat().headingLevel() == 1;
        if (!block.blockFormat().hasProperty(QTextFormat::BlockCodeLanguage))
            continue;
        for (auto part = block.begin(); !part.atEnd(); ++part)
            if (!part.fragment().charFormat().fontFamilies().toStringList().contains(QStringLiteral("monospace")))
                return QStringLiteral("a command in a proportional face: ") + block.text();
        if (block.next().blockFormat().hasProperty(QTextFormat::BlockCodeLanguage) &&
            block.blockFormat().bottomMargin() > 0)
            return QStringLiteral("a gap below the line ") + block.text();
    }
    if (titles != 1)
        return QStringLiteral("%1 titles").arg(titles);
    return page.horizontalScrollBar()->maximum() > 0 ? QStringLiteral("wider than the window") : QString();
}

} // namespace

class GuideTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    void theListOfKeysIsScrolledToTheTop() {
        Guide guide;
        guide.resize(700, 500);
        guide.show();
        QVERIFY(guide.showPage(QStringLiteral("analyse.md")));
        QVERIFY(guide.pageView()->showHeading(QStringLiteral("Keys")));
        QTextCursor top = guide.pageView()->cursorForPosition({10, 40});
        QVERIFY2(top.block().text() == QLatin1String("Keys") || top.block().text() == QLatin1String("key"), qPrintable(top.block().text()));
        QVERIFY(!guide.pageView()->showHeading(QStringLiteral("Nowhere")));
    }

    /// The keys of Analyse stood there wherever one was.
    void theKeysAreThoseOfTheWorkspace() {
        Guide guide;
        guide.resize(700, 500);
        guide.show();
        const auto top = [&](const char* page, const char* workspace) {
            guide.showKeys(QLatin1String(page), QLatin1String(workspace));
            return guide.page() + u' ' + guide.pageView()->cursorForPosition({10, 25}).block().text();
        };
        QCOMPARE(top("loop.md", "Train"), QStringLiteral("loop.md Keys in Train"));
        QCOMPARE(top("loop.md", "Design"), QStringLiteral("loop.md Keys in Design"));
        QCOMPARE(top("analyse.md", "Analyse"), QStringLiteral("analyse.md Keys"));
        QCOMPARE(top("studies.md", "Other"), QStringLiteral("analyse.md Keys"));
    }

    /// In large text it was higher than the screen.
    void itFitsTheScreen() {
        widgets::setTextSize(150);
        widgets::Theme::apply(QStringLiteral("light"));
        const Guide guide;
        widgets::setTextSize(100);
        widgets::Theme::apply(QStringLiteral("light"));
        const QSize room = guide.screen()->availableSize();
        QVERIFY2(guide.width() < room.width() && guide.height() < room.height(), qPrintable(QString::number(guide.height())));
    }

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

    /// In a window that is shown, where a scroll bar that comes changes the width while a page is read.
    void everyPageStandsThereOnce() {
        Guide guide;
        QVERIFY(guide.showPage(QStringLiteral("analyse.md")));
        guide.show();
        QVERIFY(QTest::qWaitForWindowExposed(&guide));
        for (const int width : {guide.width(), guide.width() - 120}) {
            guide.resize(width, guide.height());
            for (int row = 0; row < guide.contents()->count(); ++row) {
                guide.showPage(guide.contents()->itemData(row).toString());
                QCoreApplication::processEvents();
                const QString wrong = wrongWith(*guide.pageView());
                QVERIFY2(wrong.isEmpty(), qPrintable(guide.page() + QStringLiteral(": ") + wrong));
            }
        }
        guide.pageView()->backward();
        QCoreApplication::processEvents();
        QCOMPARE(wrongWith(*guide.pageView()), QString());
    }

    void theContentsListEveryPageAndFollow() {
        Guide guide;
        guide.resize(500, 400);
        guide.show();
        QVERIFY(guide.showPage(QStringLiteral("words.md")));
        QScrollBar* bar = guide.pageView()->verticalScrollBar();
        bar->setValue(bar->maximum());
        QVERIFY(bar->value() > 0);
        QVERIFY(guide.contents()->count() >= 9);
        QCOMPARE(guide.contents()->currentData().toString(), QStringLiteral("words.md"));
        const int row = guide.contents()->findData(QStringLiteral("studies.md"));
        guide.contents()->setCurrentIndex(row);
        Q_EMIT guide.contents()->activated(row);
        QCOMPARE(guide.page(), QStringLiteral("studies.md"));
        QCOMPARE(bar->value(), 0); // not where the other page was left
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

    /// It stood on the last line, and what follows it had to be scrolled to.
    void aMatchStandsInTheUpperThird() {
        Guide guide;
        guide.resize(700, 600);
        guide.show();
        QVERIFY(QTest::qWaitForWindowExposed(&guide));
        QVERIFY(guide.showPage(QStringLiteral("analyse.md")));
        const auto* view = guide.pageView();
        for (const char* words : {"Threshold t", "Patience", "Algorithm 1"}) {
            guide.searchField()->setText(QLatin1String(words));
            QTest::keyClick(guide.searchField(), Qt::Key_Return);
            QVERIFY(view->textCursor().hasSelection());
            const int top = view->cursorRect().top(), height = view->viewport()->height();
            const auto* bar = view->verticalScrollBar();
            const bool isAtEnd = bar->value() == bar->maximum() || bar->value() == 0;
            QVERIFY2(isAtEnd || (top >= height / 6 - 1 && top <= height / 2), qPrintable(QStringLiteral("%1: %2 of %3").arg(QLatin1String(words)).arg(top).arg(height)));
        }
        QCOMPARE(guide.page(), QStringLiteral("analyse.md")); // where both fields of a windows study are explained
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
