// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAction;
class QMenu;
class QString;
class QWidget;

namespace headroom::app {

/// Returns a menu of these actions, with their tool tips and access keys; nullptr stands for a separator. Owned by `parent`.
QMenu* menuOf(const QString& title, const QList<QAction*>& actions, QWidget* parent);

} // namespace headroom::app
