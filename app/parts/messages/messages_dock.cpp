// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/messages/messages_dock.h"

#include "app/parts/messages/messages_panel.h"
#include "app/parts/panel_header.h"

namespace headroom::app {

MessagesDock::MessagesDock(Messages* messages, QWidget* parent)
    : Dock(QStringLiteral("messages"), tr("Messages"), new MessagesPanel(messages), parent) {
    header()->setDetail(tr("until they are resolved or cleared, or you quit; those about a session, until another one begins"),
                        tr("until they are resolved, or you quit"));
    const auto* panel = static_cast<const MessagesPanel*>(widget());
    header()->addButton(panel->copyAction());
    header()->addButton(panel->clearAction());
    addHideButton(tr("Hide the messages"));
}

} // namespace headroom::app
