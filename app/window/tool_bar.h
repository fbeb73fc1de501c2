// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_process.h"

#include <QFont>
#include <QList>
#include <QToolBar>

#include <map>

class QToolButton;

namespace headroom::app {

class Actions;
class FindAction;
class SegmentedControl;
class Workspace;
struct ToolBarItem;

/// The bar below the menus: the workspace switch, the items of this workspace, Find action, and the state of the
/// worker. The last two stand at the right end in any case; of the items, those that do not fit are in the menu of the arrow
/// before them. Window's thread.
class ToolBar : public QToolBar {
    Q_OBJECT

public:
    ToolBar(const Actions& actions, const QList<Workspace*>& workspaces, QWidget* parent);
    FindAction* findField() const { return m_find; }
    /// Dot, word and tool tip of the worker: what it is when all is well, what to do when not.
    void showWorker(const WorkerProcess& worker);
    QString workerText() const;
    QMenu* workerMenu() const;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool event(QEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    /// A button with a word, and its widths as they were last measured.
    struct Worded {
        QToolButton* button;
        QAction* part; ///< of the bar; null: the worker's, which is no item of it
        QString text;
        QFont font;
        QSize icon;
        int wide = 0, narrow = 0; ///< with the word, and without
    };
    struct Switch {
        SegmentedControl* segments;
        QAction* part;
    };

    void addItem(QAction* workspace, const ToolBarItem& item);
    QAction* addButton(const ToolBarItem& item);
    void showSection();
    void measure(Worded& one) const;
    void fit();
    void placeEnd(int findWidth, int workerWidth, bool hasArrow);
    FindAction* m_find;
    QToolButton* m_worker;
    const WorkerProcess* m_shownWorker = nullptr;
    QList<Worded> m_texts;    ///< the worker's, then from the left
    QList<Switch> m_switches; ///< of the workspaces' own items
    std::map<QAction*, QList<QAction*>> m_sections; ///< workspace → what of the bar is its own
    std::map<QAction*, QList<QAction*>> m_actionsOf; ///< item of the bar → what it does
    bool m_isFitting = false;
};

} // namespace headroom::app
