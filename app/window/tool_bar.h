// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_process.h"

#include <QToolBar>

#include <map>

class QToolButton;

namespace headroom::app {

class Actions;
class FindAction;
class TimeField;

/// The bar under the menus: workspace, open and record, transport, time, undo, linked axes, Find action, and
/// how the worker is.
class ToolBar : public QToolBar {
    Q_OBJECT

public:
    ToolBar(const Actions& actions, QWidget* parent);
    /// What stands in the bar while `workspace` is the one shown; nullptr is a separator. Icon and word each.
    void addSection(QAction* workspace, const QList<QAction*>& actions);
    TimeField* timeField() const { return m_time; }
    FindAction* findField() const { return m_find; }
    /// Dot, word and tool tip of the worker: what it is when all is well, what to do when not.
    void showWorker(const WorkerProcess& worker);
    QString workerText() const;

protected:
    void changeEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    QToolButton* addIcon(QAction* action);
    void addText(QAction* action);
    void addGap();
    void showSection();
    void fitTexts();
    TimeField* m_time;
    FindAction* m_find;
    QToolButton* m_worker;
    const WorkerProcess* m_shownWorker = nullptr;
    QList<QToolButton*> m_texts;                    ///< buttons with words, from the left
    QAction* m_end = nullptr;                       ///< what follows every section
    QAction* m_section = nullptr;                   ///< workspace whose section is being filled
    std::map<QAction*, QList<QAction*>> m_sections; ///< workspace → what of the bar is its own
};

} // namespace headroom::app
