// SPDX-License-Identifier: GPL-3.0-or-later
// Panels have their sizes again after a small window, larger text or another theme.
#include "tests/app/workspaces/two_panels.h"
#include "tests/support/runner.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QTest>

namespace headroom::testing::workspace_sizes_test {

using namespace headroom::app;
using Shown = ShownWorkspace;

namespace {

constexpr int kUsersWidth = 320, kUsersHeight = 240;
constexpr int kSettled = 900; // ms: the window manager of a real screen has answered by then

} // namespace

class WorkspaceSizesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Reset while a panel lends some of its width: it grew back to no more than that, for good.
    void whatIsLentIsNotRememberedByAReset() {
        Shown shown;
        shown.workspace->centralWidget()->setMinimumSize(300, 200);
        shown.turnTo();
        QTest::qWait(kSettled);
        shown.workspace->lent = kFirstWidth - 60;
        shown.workspace->resetLayout();
        QTRY_COMPARE_WITH_TIMEOUT(shown.workspace->left->width(), kFirstWidth - 60, 60000);
        QTest::qWait(10); // it is remembered once it is laid out
        shown.workspace->lent = 0;
        shown.resize(400, 320);
        QVERIFY(shown.workspace->left->width() < kFirstWidth - 60);
        shown.resize(1000, 700);
        QCOMPARE(shown.workspace->left->width(), kFirstWidth);
    }

    /// A window that was small for a while leaves no small panels behind, in this start and the next.
    void panelsGrowBackWithTheWindow() {
        QByteArray squeezed;
        {
            Shown shown;
            shown.workspace->centralWidget()->setMinimumSize(300, 200);
            shown.turnTo();
            shown.workspace->resizeDocks({shown.workspace->below}, {kUsersHeight}, Qt::Vertical);
            QTest::qWait(kSettled);
            QCOMPARE(shown.workspace->below->height(), kUsersHeight);
            shown.resize(420, 320);
            QVERIFY2(shown.workspace->left->width() < kFirstWidth - 40, "the panel is squeezed first");
            QVERIFY2(shown.workspace->below->height() < kUsersHeight - 40, "the panel is squeezed first");
            squeezed = shown.workspace->savedLayout();
            shown.resize(1000, 700);
            QCOMPARE(shown.workspace->left->width(), kFirstWidth);
            QCOMPARE(shown.workspace->below->height(), kUsersHeight);
        }
        Shown next;
        next.workspace->restoreLayout(squeezed);
        next.turnTo();
        QTRY_COMPARE_WITH_TIMEOUT(next.workspace->left->width(), kFirstWidth, 60000);
        QTRY_COMPARE_WITH_TIMEOUT(next.workspace->below->height(), kUsersHeight, 60000);
    }

    /// The first of two side by side stayed as narrow as the small window had made it.
    void panelsOfARowShareItAsBefore() {
        Shown shown;
        shown.workspace->centralWidget()->setMinimumSize(300, 200);
        app::Dock* beside = shown.workspace->addBesideBelow();
        beside->widget()->setMinimumWidth(250);
        shown.turnTo();
        shown.workspace->resizeDocks({shown.workspace->below, beside}, {450, 300}, Qt::Horizontal);
        QTest::qWait(kSettled);
        const int before = shown.workspace->below->width();
        QVERIFY(before > 400);
        shown.resize(620, 500);
        QVERIFY2(shown.workspace->below->width() < before - 100, "the panel is squeezed first");
        shown.resize(1000, 700);
        QCOMPARE(shown.workspace->below->width(), before);
    }

    /// Only those that were visible soon after the start grew back.
    void aPanelThatIsShownLaterGrowsBackToo() {
        Shown shown;
        shown.workspace->centralWidget()->setMinimumSize(300, 200);
        shown.workspace->below->hide();
        shown.turnTo();
        QTest::qWait(kSettled);
        shown.workspace->below->show();
        shown.workspace->resizeDocks({shown.workspace->below}, {kUsersHeight}, Qt::Vertical);
        QTest::qWait(10); // it is remembered once it is laid out
        shown.resize(420, 320);
        QVERIFY2(shown.workspace->below->height() < kUsersHeight - 40, "the panel is squeezed first");
        shown.resize(1000, 700);
        QCOMPARE(shown.workspace->below->height(), kUsersHeight);
    }

    /// The window became large again while another workspace was shown.
    void panelsGrowBackBehindAnotherWorkspace() {
        Shown shown;
        shown.workspace->centralWidget()->setMinimumSize(300, 200);
        shown.turnTo();
        shown.workspace->resizeDocks({shown.workspace->below}, {kUsersHeight}, Qt::Vertical);
        QTest::qWait(kSettled);
        shown.resize(420, 320);
        QVERIFY2(shown.workspace->left->width() < kFirstWidth - 40, "the panel is squeezed first");
        shown.window.setCurrentIndex(0);
        QCoreApplication::processEvents();
        shown.resize(1000, 700);
        shown.turnTo();
        QCOMPARE(shown.workspace->left->width(), kFirstWidth);
        QCOMPARE(shown.workspace->below->height(), kUsersHeight);
    }

    /// They stayed as wide as larger text had made them.
    void panelsAreAsWideAsBeforeAfterLargerText_data() {
        QTest::addColumn<bool>("isHidden");
        QTest::newRow("shown") << false;
        QTest::newRow("behind another workspace") << true;
    }
    void panelsAreAsWideAsBeforeAfterLargerText() {
        QFETCH(bool, isHidden);
        Shown shown;
        shown.turnTo();
        QTest::qWait(kSettled); // the wanted widths from now on
        const auto choose = [&](int percent, int least) {
            widgets::setTextSize(percent);
            widgets::Theme::apply(QStringLiteral("light"));
            shown.workspace->left->widget()->setMinimumWidth(least);
        };
        widgets::Theme::apply(QStringLiteral("light"));
        choose(125, kFirstWidth + 60);
        QTRY_VERIFY_WITH_TIMEOUT(shown.workspace->left->width() >= kFirstWidth + 60, 60000);
        if (isHidden)
            shown.window.setCurrentIndex(0);
        choose(100, 0);
        QCoreApplication::processEvents();
        shown.turnTo();
        QTRY_COMPARE_WITH_TIMEOUT(shown.workspace->left->width(), kFirstWidth, 60000);
    }

    /// A form kept the width of larger text at the next start, where it was not shown in between.
    void aLayoutOfLargerTextHasTheWantedWidths_data() {
        QTest::addColumn<bool>("isChosenBefore");
        QTest::newRow("chosen before it is saved") << true;
        QTest::newRow("chosen after it is saved") << false;
    }
    void aLayoutOfLargerTextHasTheWantedWidths() {
        QFETCH(bool, isChosenBefore);
        const auto choose = [](int percent) {
            widgets::setTextSize(percent);
            widgets::Theme::apply(QStringLiteral("light"));
        };
        choose(100);
        QByteArray saved;
        {
            Shown shown;
            shown.turnTo();
            QTest::qWait(kSettled); // the wanted widths from now on
            choose(125);
            shown.workspace->left->widget()->setMinimumWidth(kFirstWidth + 60);
            QTRY_VERIFY_WITH_TIMEOUT(shown.workspace->left->width() >= kFirstWidth + 60, 60000);
            QTest::qWait(10); // followed
            shown.window.setCurrentIndex(0);
            if (isChosenBefore)
                choose(100);
            saved = shown.workspace->savedLayout();
        }
        choose(100);
        Shown next;
        next.workspace->restoreLayout(saved);
        next.turnTo();
        QTRY_COMPARE_WITH_TIMEOUT(next.workspace->left->width(), kFirstWidth, 60000);
    }

    /// A workspace that was hidden at the start took the size of the text then for a change of it, and gave a form its room back.
    void aPanelMadeWiderKeepsItsWidthAsTheWindowGrows() {
        Shown shown;
        QCoreApplication::processEvents(); // while another workspace is shown
        shown.turnTo();
        QTest::qWait(kSettled);
        shown.workspace->resizeDocks({shown.workspace->left}, {kUsersWidth}, Qt::Horizontal);
        QCoreApplication::processEvents();
        shown.window.resize(1020, 700);
        QTest::qWait(50); // the docks would follow at the next turn
        QCOMPARE(shown.workspace->left->width(), kUsersWidth);
    }

    /// The last panel of a column kept all of the height that came back.
    void aColumnIsSharedAsBefore() {
        Shown shown;
        Dock* under = shown.workspace->addUnderLeft();
        Dock* left = shown.workspace->left;
        left->widget()->setMinimumHeight(60);
        shown.turnTo();
        const int column = left->height() + under->height();
        shown.workspace->resizeDocks({left, under}, {column - 120, 120}, Qt::Vertical);
        QTest::qWait(kSettled); // the wanted heights from now on
        const int first = left->height(), second = under->height();
        shown.resize(1000, 320);
        QVERIFY(left->height() < first);
        shown.resize(1000, 700);
        QCOMPARE(left->height(), first);
        QCOMPARE(under->height(), second);
    }

    /// Study places had the height that the click on a number gave it, until another theme gave it the one that was wanted before.
    void anotherThemeChangesNoSizes() {
        widgets::Theme::apply(QStringLiteral("light"));
        Shown shown;
        shown.turnTo();
        QTest::qWait(kSettled); // the wanted sizes from now on
        Dock* below = shown.workspace->below;
        QVERIFY(below->height() < kUsersHeight);
        shown.workspace->resizeDocks({below}, {kUsersHeight}, Qt::Vertical);
        QTRY_COMPARE_WITH_TIMEOUT(below->height(), kUsersHeight, 60000);
        for (const char* theme : {"dark", "light"}) {
            widgets::Theme::apply(QLatin1String(theme));
            QTest::qWait(50);
            QCOMPARE(below->height(), kUsersHeight);
            QCOMPARE(shown.workspace->left->width(), kFirstWidth);
        }
        shown.window.setCurrentIndex(0);
        widgets::Theme::apply(QStringLiteral("dark"));
        QCoreApplication::processEvents();
        shown.turnTo();
        QTest::qWait(50);
        QCOMPARE(below->height(), kUsersHeight);
        widgets::Theme::apply(QStringLiteral("light"));
    }
};

HEADROOM_TEST(WorkspaceSizesTest)

} // namespace headroom::testing::workspace_sizes_test

#include "workspace_sizes_test.moc"
