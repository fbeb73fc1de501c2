// SPDX-License-Identifier: GPL-3.0-or-later
// One meaning of each key: Qt runs neither of two actions with the same key.
#include "app/parts/actions.h"
#include "app/workspaces/analyse/analyse_workspace.h"
#include "app/workspaces/train/train_workspace.h"
#include "app/workspaces/workspace.h"
#include "tests/stories/story.h"
#include "tests/support/runner.h"
#include "widgets/run_monitor/run_table.h"

#include <QAction>
#include <QMenu>
#include <QMenuBar>
#include <QPushButton>
#include <QShortcut>
#include <QSignalSpy>
#include <QTest>
#include <QToolTip>

#include <map>

namespace headroom::testing::one_key_test {

using namespace headroom::app;

namespace {

/// A key and what it does while one of some widgets has the focus.
struct Bound {
    const QObject* what;
    QString text;
    QWidget* at; ///< where it was added
    Qt::ShortcutContext context;

    bool isActiveIn(const QWidget* focus) const {
        if (context == Qt::WidgetShortcut)
            return focus == at;
        if (context == Qt::WidgetWithChildrenShortcut)
            return focus == at || (at->isAncestorOf(focus) && at->window() == focus->window());
        return true; // of a window whose tool windows share its keys
    }
};

using Bindings = std::multimap<QKeySequence, Bound>;

bool isInTheMenuBar(const QMenu* menu, const QMenuBar* bar) {
    const auto menus = bar->actions();
    return std::ranges::any_of(menus, [menu](const QAction* one) { return one->menu() && (one->menu() == menu || one->menu()->isAncestorOf(menu)); });
}

/// The keys of all menus, tool bars, buttons, lists and views of the window, as if all of them could be used now.
Bindings bindingsOf(MainWindow& window) {
    QList<QWidget*> widgets = window.findChildren<QWidget*>();
    widgets.prepend(&window);
    for (QWidget* widget : widgets)
        for (QAction* action : widget->actions()) {
            action->setVisible(true);
            action->setEnabled(true);
        }
    Bindings bindings;
    for (QWidget* widget : widgets) {
        const auto* menu = qobject_cast<QMenu*>(widget);
        if (menu && !isInTheMenuBar(menu, window.menuBar()))
            continue; // its keys are those of the list that it belongs to
        QWidget* at = menu ? window.menuBar() : widget;
        for (const QAction* action : widget->actions())
            for (const QKeySequence& key : action->shortcuts())
                bindings.insert({key, {action, action->text(), at, action->shortcutContext()}});
        for (const QShortcut* shortcut : widget->findChildren<QShortcut*>(Qt::FindDirectChildrenOnly))
            if (shortcut->isEnabled()) // some answer for an action that cannot be used
                bindings.insert({shortcut->key(), {shortcut, QStringLiteral("a shortcut of ") + widget->metaObject()->className(), widget, shortcut->context()}});
    }
    return bindings;
}

/// "Ctrl+R in RunTable: Record / Resume" for every widget of every workspace that might have the focus.
QStringList conflictsOf(MainWindow& window) {
    QStringList conflicts;
    for (Workspace* workspace : window.workspaces()) {
        workspace->switchAction()->trigger();
        const Bindings bindings = bindingsOf(window);
        QList<QWidget*> focus = workspace->findChildren<QWidget*>();
        focus.prepend(workspace);
        focus << window.findChildren<QWidget*>(QString(), Qt::FindDirectChildrenOnly);
        for (auto key = bindings.begin(); key != bindings.end(); key = bindings.upper_bound(key->first)) {
            const auto [first, last] = bindings.equal_range(key->first);
            for (const QWidget* widget : focus) {
                std::map<const QObject*, QString> meanings; // an action may stand in several places
                for (auto one = first; one != last; ++one)
                    if (one->second.isActiveIn(widget))
                        meanings[one->second.what] = one->second.text;
                if (meanings.size() < 2)
                    continue;
                QStringList texts;
                for (const auto& [what, text] : meanings)
                    texts << text;
                texts.sort();
                conflicts << QStringLiteral("%1 in %2: %3").arg(key->first.toString(), widget->metaObject()->className(), texts.join(QStringLiteral(" / ")));
            }
        }
    }
    conflicts.removeDuplicates();
    return conflicts;
}

} // namespace

class OneKeyTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// Ctrl+R was Record of the window and Resume of the table of runs.
    void eachKeyHasOneMeaningWhereverTheFocusIs() {
        Story story;
        QVERIFY(story.quiet());
        QVERIFY(bindingsOf(story.window()).size() > 100);
        const QStringList conflicts = conflictsOf(story.window());
        QVERIFY2(conflicts.isEmpty(), qPrintable(conflicts.join(QLatin1Char('\n'))));
    }

    /// Ctrl+Enter opened the result of a run while a study or a run was being set up, and started a run again where the menu offered its result.
    void inAFormCtrlEnterMeansTheForm() {
        Story story;
        auto& actions = story.window().train()->actions();
        for (const QAction* action : story.window().findChildren<QAction*>())
            for (const char* key : {"Ctrl+Enter", "Ctrl+Return"})
                QVERIFY2(!action->shortcuts().contains(QKeySequence(QLatin1String(key))), qPrintable(action->text()));
        for (const auto& [show, name] : {std::pair{story.window().actions().newStudy, "runStudy"}, std::pair{actions.newRun, "startRuns"}}) {
            show->trigger();
            auto* start = story.window().findChild<QPushButton*>(QLatin1String(name));
            QVERIFY(start && start->isVisible() && !start->isEnabled());
            QWidget* field = QApplication::focusWidget();
            QVERIFY(field && start->parentWidget()->parentWidget()->isAncestorOf(field));
            actions.openResult->setEnabled(true);
            QSignalSpy opened(actions.openResult, &QAction::triggered);
            QTest::keyClick(field, Qt::Key_Return, Qt::ControlModifier);
            QCOMPARE(opened.count(), 0);
            QVERIFY(!start->toolTip().isEmpty());
            QCOMPARE(QToolTip::text(), start->toolTip()); // why it cannot be started
        }
    }

    void aKeyOfAListThatIsTheWindowsIsFound() {
        Story story;
        auto* table = story.window().findChild<widgets::RunTable*>();
        QVERIFY(table);
        QAction resume(QStringLiteral("Again"));
        resume.setShortcut(QKeySequence(Qt::CTRL | Qt::Key_R));
        resume.setShortcutContext(Qt::WidgetShortcut);
        table->addAction(&resume);
        const QString found = QStringLiteral("Ctrl+R in %1: Again / Record").arg(QLatin1String(table->metaObject()->className()));
        QCOMPARE(conflictsOf(story.window()), QStringList{found});
    }
};

HEADROOM_TEST(OneKeyTest)

} // namespace headroom::testing::one_key_test

#include "one_key_test.moc"
