// SPDX-License-Identifier: GPL-3.0-or-later
// What every workspace does alike, on one with two panels.
#include "app/workspaces/workspace.h"

#include "app/documents/items/messages.h"
#include "app/parts/dock.h"
#include "tests/support/runner.h"
#include "widgets/look/text_size.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QLayout>
#include <QStackedWidget>
#include <QTest>

namespace headroom::testing::workspace_test {

using namespace headroom::app;

namespace {

constexpr int kFirstWidth = 200, kUsersWidth = 320, kUsersHeight = 240;
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

    /// A second panel in the left column.
    Dock* addUnderLeft() {
        Dock* dock = addDock(QStringLiteral("under"), QStringLiteral("Under"), new QWidget);
        splitDockWidget(left, dock, Qt::Vertical);
        dock->show();
        return dock;
    }

    using Workspace::messagesDock;
    Dock *left, *below;
    int lent = 0; ///< width of the left panel, which lends the rest; 0: lends nothing

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
    void sizeDocks() override { resizeDocks({left}, {lent > 0 ? lent : kFirstWidth}, Qt::Horizontal); }
    void withGivenSizes(const std::function<void()>& look) const override {
        if (lent == 0)
            return look();
        auto* window = const_cast<TwoPanels*>(this);
        window->resizeDocks({left}, {kFirstWidth}, Qt::Horizontal);
        window->layout()->activate();
        look();
        window->resizeDocks({left}, {lent}, Qt::Horizontal);
    }
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
    void resize(int width, int height) {
        window.resize(width, height);
        QCoreApplication::processEvents();
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
