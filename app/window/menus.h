// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAction;
class QMenu;
class QMenuBar;

namespace headroom::app {

class Actions;

/// The menu bar of the window. `recent` is filled by its owner when it is about to show; `panels` are the
/// docks' toggle actions.
struct Menus {
    QMenu* recent = nullptr;
    QMenu* figures = nullptr; ///< how figures are written; filled by ExportActions
    QMenu* window = nullptr; ///< menus of other workspaces stand before it
};
Menus fillMenuBar(QMenuBar* bar, const Actions& actions, const QList<QAction*>& panels);

} // namespace headroom::app
