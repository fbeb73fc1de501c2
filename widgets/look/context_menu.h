// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>
#include <QString>

#include <functional>

class QAction;
class QWidget;

namespace headroom::widgets {

/// Gives a view a context menu of these actions; nullptr stands for a separator. The right mouse button and the menu
/// key open it. A second call adds to the menu. Window's thread.
void setContextMenu(QWidget* view, const QList<QAction*>& actions);

/// Returns "Copy as a table" for the context menu of a table: copies what Ctrl+C copies. Owned by `table`.
QAction* makeCopyAction(QWidget* table, std::function<QString()> text);

} // namespace headroom::widgets
