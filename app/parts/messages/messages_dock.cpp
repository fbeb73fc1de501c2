// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/messages/messages_dock.h"

#include "app/documents/messages.h"
#include "app/parts/messages/messages_panel.h"
#include "app/parts/panel_header.h"
#include "widgets/look/icons.h"

#include <QAction>

namespace headroom::app {

MessagesDock::MessagesDock(Messages* messages, QWidget* parent)
    : Dock(QStringLiteral("messages"), tr("Messages"), new MessagesPanel(messages), parent) {
    header()->setDetail(tr("until they are resolved or cleared, a new session begins or you quit"));
    auto* copy = new QAction(widgets::icon(QStringLiteral("copy")), tr("Copy the messages"), this);
    copy->setToolTip(tr("Copy the messages as a table."));
    connect(copy, &QAction::triggered, this,
            [this] { static_cast<const MessagesPanel*>(widget())->copy(); });
    auto* clear = new QAction(widgets::icon(QStringLiteral("minus")), tr("Clear the messages"), this);
    clear->setToolTip(tr("Clear all messages."));
    connect(clear, &QAction::triggered, messages, &Messages::clear);
    header()->addButton(copy);
    header()->addButton(clear);
    addHideButton(tr("Hide the messages"));
}

} // namespace headroom::app
