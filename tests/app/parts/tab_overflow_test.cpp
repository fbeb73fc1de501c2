// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/tab_overflow.h"

#include "tests/support/runner.h"
#include "widgets/look/theme.h"

#include <QAction>
#include <QMenu>
#include <QTabBar>
#include <QTabWidget>
#include <QTest>
#include <QToolButton>

namespace headroom::testing::tab_overflow_test {

using namespace headroom::app;

class TabOverflowTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { widgets::Theme::apply(QStringLiteral("light")); }

    /// A second corner widget once took the place of the menu, and tabs that did not fit were out of reach.
    void otherButtonsStandBesideTheMenu() {
        QTabWidget tabs;
        for (const char* name : {"Windows", "CAD", "PAR 37 × 37", "Heads", "Statistics", "Probe", "Latency"})
            tabs.addTab(new QWidget, QString::fromUtf8(name));
        auto* overflow = new TabOverflow(&tabs);
        QAction save(QStringLiteral("Export tab…")), study(QStringLiteral("Study…"));
        overflow->addButton(&study);
        overflow->addButton(&save);
        tabs.resize(1200, 200);
        tabs.show();
        QVERIFY(!overflow->button()->isVisible());
        tabs.resize(380, 200);
        QTRY_VERIFY_WITH_TIMEOUT(overflow->button()->isVisible(), 60000);
        for (QToolButton* button : tabs.findChildren<QToolButton*>())
            if (button->defaultAction() == &save || button->defaultAction() == &study)
                QVERIFY(button->isVisible());
        Q_EMIT overflow->button()->menu()->aboutToShow();
        QStringList reached;
        for (const QAction* hidden : overflow->button()->menu()->actions())
            reached << hidden->text();
        for (int tab = 0; tab < tabs.count(); ++tab)
            if (tabs.isTabVisible(tab))
                reached << tabs.tabText(tab);
        QCOMPARE(int(reached.size()), tabs.count()); // every tab is in the bar or in the menu
        QVERIFY(reached.contains(QStringLiteral("Latency")));
        overflow->button()->menu()->actions().last()->trigger();
        QCOMPARE(tabs.tabText(tabs.currentIndex()), QStringLiteral("Latency"));
        QVERIFY(tabs.isTabVisible(tabs.currentIndex()));
    }

    /// QTabWidget took the first tab for which there was room again: CAD instead of Probe.
    void aTabThatDidNotFitIsTheOneThatComesToTheFront() {
        QTabWidget tabs;
        for (const char* name : {"Windows (contributions)", "CAD", "PAR 37 × 37", "Heads", "Probe"})
            tabs.addTab(new QWidget, QString::fromUtf8(name));
        new TabOverflow(&tabs);
        tabs.resize(230, 200);
        tabs.show();
        QTRY_VERIFY_WITH_TIMEOUT(!tabs.isTabVisible(1) && !tabs.isTabVisible(4), 60000);
        tabs.setCurrentIndex(4);
        QCOMPARE(tabs.currentIndex(), 4);
        QVERIFY(tabs.isTabVisible(4));
        QTest::qWait(50);
        QCOMPARE(tabs.currentIndex(), 4);
    }
};

HEADROOM_TEST(TabOverflowTest)

} // namespace headroom::testing::tab_overflow_test

#include "tab_overflow_test.moc"
