// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/menu.h"

#include "app/parts/access_keys.h"

#include <QMenu>

namespace headroom::app {

QMenu* menuOf(const QString& title, const QList<QAction*>& actions, QWidget* parent) {
    auto* menu = new QMenu(title, parent);
    menu->setToolTipsVisible(true);
    giveAccessKeys(menu);
    for (QAction* action : actions) {
        if (action && action->isCheckable())
            action->setIconVisibleInMenu(false); // its tick stands there instead
        action ? menu->addAction(action) : static_cast<void>(menu->addSeparator());
    }
    return menu;
}

} // namespace headroom::app
