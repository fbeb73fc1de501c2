// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/dock.h"

#include "app/parts/panel_header.h"

namespace headroom::app {

Dock::Dock(const QString& objectName, const QString& title, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent)
    , m_header(new PanelHeader(title, this)) {
    setObjectName(objectName);
    setTitleBarWidget(m_header);
    setWidget(content);
    setFeatures(DockWidgetMovable | DockWidgetClosable | DockWidgetFloatable);
}

} // namespace headroom::app
