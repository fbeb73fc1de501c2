// SPDX-License-Identifier: GPL-3.0-or-later
// What every workspace does alike, on one with two panels.
#include "app/workspaces/workspace.h"

#include "app/documents/messages.h"
#include "app/parts/dock.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QStackedWidget>
#include <QTest>

namespace headroom::testing::workspace_test {

using namespace headroom::app;

namespace {

constexpr int kFirstWidth = 200, kUsersWidth = 320;
constexpr int kSettled = 900; // ms: the window manager of a real screen has answered by then

class TwoPanels : public Workspace {
public:
    TwoPanels(Messages* messages, QAction* switchAction, QWidget* parent)
        : Workspace(QStringLiteral("two"), switchAction, parent) {
        setCentralWidget(new QWidget);
        left = addDock(QStringLiteral("left"), QStringLiteral("Left"), new QWidget);
        below = addDock(QStringLiteral("below"), QStringLiteral("Below"), new QWidget);
        addMessagesDock(messages);
        placeDocks();
    }
    QList<QMenu*> makeMenus(QWidget*) const override { return {}; }
    QList<ToolBarItem> toolBarItems() override { return {}; }
    QString guidePage() const override { return {}; }
    QString statusText() const override { return {}; }
    bool isPending() const override { return false; }
    nlohmann::json viewState() const override { return {}; }
    void restoreView(const nlohmann::json&) override {}

    using Workspace::messagesDock;
    Dock *left, *below;

protected:
    void placeDocks() override {
        addDockWidget(Qt::LeftDockWidgetArea, left);
        addDockWidget(Qt::BottomDockWidgetArea, below);
        addDockWidget(Qt::BottomDockWidgetArea, messagesDock());
        left->show();
        below->show();
        messagesDock()->hide();
        sizeDocks();
    }
    void sizeDocks() override { resizeDocks({left}, {kFirstWidth}, Qt::Horizontal); }
};

/// The workspace as the second page of a window that shows its first.
struct Shown {
    Messages messages;
    QAction show;
    QStackedWidget window;
    TwoPanels* workspace = new TwoPanels(&messages, &show, &window);
    Shown() {
        window.resize(1000, 700);
        window.addWidget(new QWidget);
        window.addWidget(workspace);
        window.show();
    }
    void turnTo() {
        window.setCurrentWidget(workspace);
        QCoreApplication::processEvents();
    }
};

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
        shown.window.resize(1000, 700);
        QCoreApplication::processEvents();
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

    /// A window that was narrow for a while leaves no narrow panels behind, in this start and the next.
    void panelsGrowBackWithTheWindow() {
        QByteArray squeezed;
        {
            Shown shown;
            shown.workspace->centralWidget()->setMinimumWidth(300);
            shown.turnTo();
            QTest::qWait(kSettled);
            shown.window.resize(420, 700);
            QCoreApplication::processEvents();
            QVERIFY2(shown.workspace->left->width() < kFirstWidth - 40, "the panel is squeezed first");
            squeezed = shown.workspace->savedLayout();
            shown.window.resize(1000, 700);
            QCoreApplication::processEvents();
            QCOMPARE(shown.workspace->left->width(), kFirstWidth);
        }
        Shown next;
        next.workspace->restoreLayout(squeezed);
        next.turnTo();
        QTRY_COMPARE_WITH_TIMEOUT(next.workspace->left->width(), kFirstWidth, 60000);
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
