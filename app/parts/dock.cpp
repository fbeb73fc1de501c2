// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/dock.h"

#include "app/parts/panel_header.h"
#include "widgets/look/icons.h"

#include <QAction>

namespace headroom::app {

Dock::Dock(const QString& objectName, const QString& title, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent)
    , m_header(new PanelHeader(title, this)) {
    setObjectName(objectName);
    setTitleBarWidget(m_header);
    setWidget(content);
    setFeatures(DockWidgetMovable | DockWidgetClosable | DockWidgetFloatable);
}

void Dock::addHideButton(const QString& text) {
    auto* hide = new QAction(widgets::icon(QStringLiteral("close")), text, this);
    connect(hide, &QAction::triggered, this, &QDockWidget::hide);
    m_header->addButton(hide);
}

} // namespace headroom::app
