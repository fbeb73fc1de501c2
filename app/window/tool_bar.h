// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_process.h"

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
/// worker. Window's thread.
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

private:
    void addItem(QAction* workspace, const ToolBarItem& item);
    QAction* addButton(const ToolBarItem& item);
    void showSection();
    void fitTexts();
    FindAction* m_find;
    QToolButton* m_worker;
    const WorkerProcess* m_shownWorker = nullptr;
    QList<QToolButton*> m_texts;                    ///< buttons with words, from the left
    std::map<QToolButton*, int> m_wide; ///< of these: width with the words
    QList<SegmentedControl*> m_switches;            ///< of the workspaces' own items
    std::map<QAction*, QList<QAction*>> m_sections; ///< workspace → what of the bar is its own
};

} // namespace headroom::app
