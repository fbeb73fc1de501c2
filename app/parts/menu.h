// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QList>

class QAction;
class QMenu;
class QString;
class QWidget;

namespace headroom::app {

/// A menu of these actions, with their tool tips. nullptr stands for a separator.
QMenu* menuOf(const QString& title, const QList<QAction*>& actions, QWidget* parent);

} // namespace headroom::app
