// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QMenu;
class QMenuBar;

namespace headroom::app {

class Actions;
class Workspace;

/// Menus of the bar that others fill. Owned by the bar. Window's thread.
struct Menus {
    QMenu* recent = nullptr;  ///< filled by its owner when it is about to show
    QMenu* figures = nullptr; ///< how figures are written; filled by AnalyseWorkspace
};
/// Fills the menu bar of the window. The menus of the workspaces stand between Session and Window; their
/// panels stand in the Window menu.
Menus fillMenuBar(QMenuBar* bar, const Actions& actions, const QList<Workspace*>& workspaces);

} // namespace headroom::app
