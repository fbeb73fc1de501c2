// SPDX-License-Identifier: GPL-3.0-or-later
// What every workspace does alike, on one with two panels.
#include "tests/app/workspaces/two_panels.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QTest>

namespace headroom::testing::workspace_test {

using namespace headroom::app;
using Shown = ShownWorkspace;

namespace {

constexpr int kUsersWidth = 320;

} // namespace

class WorkspaceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void panelsAreListedInTheOrderTheyWereAdded() {
        Shown shown;
        QStringList texts;
        for (const QAction* panel : shown.workspace->panelActions())
            texts << panel->text();
        const QStringList wanted{QStringLiteral("Left"), QStringLiteral("Below"), QStringLiteral("Messages")};
        QCOMPARE(texts, wanted);
        QCOMPARE(shown.workspace->viewKey(), QStringLiteral("two"));
        QCOMPARE(shown.workspace->switchAction(), &shown.show);
    }

    void sizesCountAtTheFirstShow() {
        Shown shown;
        shown.turnTo();
        QCOMPARE(shown.workspace->left->width(), kFirstWidth);
    }

    void aLayoutRestoredBeforeTheFirstShowIsKept() {
        QByteArray users;
        {
            Shown before;
            before.turnTo();
            before.workspace->resizeDocks({before.workspace->left}, {kUsersWidth}, Qt::Horizontal);
            before.workspace->below->hide();
            QCoreApplication::processEvents();
            users = before.workspace->savedLayout();
        }
        Shown shown;
        shown.workspace->restoreLayout(users);
        QCOMPARE(shown.workspace->savedLayout(), users); // also of a window that closes before it is shown
        shown.turnTo();
        QVERIFY(!shown.workspace->below->isVisible());
        QCOMPARE(shown.workspace->left->width(), kUsersWidth);
    }

    /// The size that a window manager gave the window soon after it was shown laid the panels out anew.
    void aPanelThatIsDraggedAtOnceKeepsItsSize() {
        Shown shown;
        shown.turnTo();
        QWidget* left = shown.workspace->left;
        const QPoint at = left->geometry().topRight() + QPoint(2, 50), to = at + QPoint(kUsersWidth - kFirstWidth, 0);
        QVERIFY(!shown.workspace->isSettled() && !shown.workspace->childAt(at));
        QTest::mousePress(shown.workspace, Qt::LeftButton, {}, at);
        QTest::mouseMove(shown.workspace, to);
        QTRY_COMPARE(left->width(), kUsersWidth); // the layout follows the pointer with a timer
        QTest::mouseRelease(shown.workspace, Qt::LeftButton, {}, to);
        shown.resize(1200, 700);
        QCOMPARE(left->width(), kUsersWidth);
    }

    void theSizeThatFollowsTheFirstShowCounts() {
        QByteArray users;
        {
            Shown before;
            before.turnTo();
            before.workspace->resizeDocks({before.workspace->left}, {kUsersWidth}, Qt::Horizontal);
            QCoreApplication::processEvents();
            users = before.workspace->savedLayout();
        }
        Shown shown;
        shown.window.resize(300, 200); // the window manager has not answered yet
        shown.workspace->restoreLayout(users);
        shown.turnTo();
        shown.resize(1000, 700);
        QCOMPARE(shown.workspace->left->width(), kUsersWidth);
    }

    void aLayoutOfAnEarlierVersionIsReplacedByTheFirst() {
        QByteArray squeezed;
        {
            Shown before;
            before.turnTo();
            before.workspace->resizeDocks({before.workspace->left}, {60}, Qt::Horizontal);
            QCoreApplication::processEvents();
            squeezed = before.workspace->saveState();
        }
        Shown shown;
        shown.workspace->restoreLayout(squeezed);
        shown.turnTo();
        QCOMPARE(shown.workspace->left->width(), kFirstWidth);
    }

    void withoutAFirstShowThereIsNoLayoutToSave() {
        Shown shown;
        QVERIFY(shown.workspace->savedLayout().isEmpty()); // sizes of a page that never had one
    }

    void anUnreadableLayoutChangesNothing() {
        Shown shown;
        shown.workspace->restoreLayout("no layout");
        shown.turnTo();
        QCOMPARE(shown.workspace->left->width(), kFirstWidth);
        QVERIFY(shown.workspace->below->isVisible());
    }

    void resettingBringsEveryPanelBack() {
        Shown shown;
        shown.turnTo();
        shown.workspace->left->hide();
        shown.workspace->resetLayout();
        QVERIFY(shown.workspace->left->isVisible());
        QCOMPARE(shown.workspace->left->width(), kFirstWidth);
    }

    void messagesComeToTheFront() {
        Shown shown;
        shown.turnTo();
        QVERIFY(!shown.workspace->messagesDock()->isVisible());
        shown.workspace->showMessages();
        QVERIFY(shown.workspace->messagesDock()->isVisible());
    }
};

HEADROOM_TEST(WorkspaceTest)

} // namespace headroom::testing::workspace_test

#include "workspace_test.moc"
