// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/dock.h"
#include "app/parts/panel_header.h"
#include "tests/support/runner.h"

#include <QAction>
#include <QMainWindow>
#include <QSignalSpy>
#include <QTest>

namespace headroom::testing::dock_test {

using namespace headroom::app;

class DockTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Without a frame no window manager could move it, and a window that is no tool would not hear the keys of the other one.
    void aFloatingPanelHasAFrameAndTheKeysOfTheWindow() {
        QMainWindow window;
        QAction find(QStringLiteral("Find"));
        find.setShortcut(QKeySequence(Qt::CTRL | Qt::Key_K));
        window.addAction(&find);
        QSignalSpy found(&find, &QAction::triggered);
        auto* content = new QWidget;
        content->setFocusPolicy(Qt::StrongFocus);
        auto* dock = new Dock(QStringLiteral("panel"), QStringLiteral("Panel"), content, &window);
        window.setCentralWidget(new QWidget);
        window.addDockWidget(Qt::LeftDockWidgetArea, dock);
        window.show();
        QVERIFY(QTest::qWaitForWindowExposed(&window));
        dock->setFloating(true);
        QVERIFY(dock->isVisible() && dock->isFloating());
        QVERIFY(!dock->windowFlags().testFlag(Qt::FramelessWindowHint));
        QVERIFY(dock->windowFlags().testFlag(Qt::WindowTitleHint));
        QCOMPARE(dock->windowTitle(), QStringLiteral("Panel"));
        dock->activateWindow();
        QVERIFY(QTest::qWaitForWindowActive(dock));
        content->setFocus();
        QTest::keyClick(content, Qt::Key_K, Qt::ControlModifier);
        QCOMPARE(found.count(), 1);
        dock->setFloating(false);
        QVERIFY(!dock->isWindow() && dock->isVisible());
        dock->setFloating(true); // a second time too
        QVERIFY(!dock->windowFlags().testFlag(Qt::FramelessWindowHint));
    }
};

HEADROOM_TEST(DockTest)

} // namespace headroom::testing::dock_test

#include "dock_test.moc"
