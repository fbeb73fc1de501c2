// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_process.h"

#include <QToolBar>

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
    TimeField* timeField() const { return m_time; }
    FindAction* findField() const { return m_find; }
    /// Dot, word and tool tip of the worker: what it is when all is well, what to do when not.
    void showWorker(const WorkerProcess& worker);
    QString workerText() const;

private:
    QToolButton* addIcon(QAction* action);
    void addText(QAction* action);
    TimeField* m_time;
    FindAction* m_find;
    QToolButton* m_worker;
};

} // namespace headroom::app
