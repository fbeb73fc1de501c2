// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/context_menu.h"

#include "widgets/look/icons.h"
#include "widgets/look/translate.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QWidget>

namespace headroom::widgets {

void setContextMenu(QWidget* view, const QList<QAction*>& actions) {
    view->setContextMenuPolicy(Qt::ActionsContextMenu);
    for (QAction* action : actions) {
        if (!action) {
            action = new QAction(view);
            action->setSeparator(true);
        }
        if (action->isCheckable())
            action->setIconVisibleInMenu(false); // its tick stands there instead
        view->addAction(action);
    }
}

QAction* makeCopyAction(QWidget* table, std::function<QString()> text) {
    // The key is the table's own and only named here: as a shortcut it would be a second one.
    auto* copy = new QAction(icon(QStringLiteral("copy")), tr("Copy as a table\tCtrl+C"), table);
    QObject::connect(copy, &QAction::triggered, table,
                     [text = std::move(text)] { QApplication::clipboard()->setText(text()); });
    return copy;
}

} // namespace headroom::widgets
