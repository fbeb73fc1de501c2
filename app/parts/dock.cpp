// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/parts/dock.h"

#include "app/parts/panel_header.h"
#include "widgets/look/icons.h"

#include <QAction>
#include <QGuiApplication>
#include <QMenu>
#include <QTimer>

namespace headroom::app {

namespace {

constexpr int kDragged = 100; ///< ms until a panel that is dragged is looked at again

} // namespace

Dock::Dock(const QString& objectName, const QString& title, QWidget* content, QWidget* parent)
    : QDockWidget(title, parent)
    , m_header(new PanelHeader(title, this)) {
    setObjectName(objectName);
    setTitleBarWidget(m_header);
    setWidget(content);
    setFeatures(DockWidgetMovable | DockWidgetClosable | DockWidgetFloatable);
    auto* menu = new QMenu(this);
    menu->setToolTipsVisible(true);
    connect(menu, &QMenu::aboutToShow, this, [this, menu] { fillMenu(menu); });
    m_header->setMenu(menu);
    connect(this, &QDockWidget::topLevelChanged, this, &Dock::takeFrame);
}

/// Qt leaves the frame out where a dock has a header of its own: then no window manager can move it. Changing the frame
/// makes a new window, so it waits until the panel is no longer dragged. A tool window takes its keys from its parent.
void Dock::takeFrame() {
    if (!isFloating() || !windowFlags().testFlag(Qt::FramelessWindowHint))
        return;
    if (QGuiApplication::mouseButtons() != Qt::NoButton) {
        QTimer::singleShot(kDragged, this, &Dock::takeFrame);
        return;
    }
    const bool visible = isVisible();
    const QRect place = geometry();
    setWindowFlags(Qt::Tool | Qt::CustomizeWindowHint | Qt::WindowTitleHint | Qt::WindowSystemMenuHint |
                   Qt::WindowCloseButtonHint);
    setGeometry(place);
    if (visible)
        show();
}

/// Made anew each time: which view is shown, and what is selected in it, changes.
void Dock::fillMenu(QMenu* menu) {
    menu->clear();
    for (const QWidget* view : widget()->findChildren<QWidget*>())
        if (view->isVisible() && view->contextMenuPolicy() == Qt::ActionsContextMenu && !view->actions().isEmpty()) {
            menu->addActions(view->actions());
            menu->addSeparator();
        }
    QAction* floats = menu->addAction(isFloating() ? tr("Put the panel back") : tr("Float the panel"));
    connect(floats, &QAction::triggered, this, [this] { setFloating(!isFloating()); });
    connect(menu->addAction(tr("Hide the panel")), &QAction::triggered, this, &QDockWidget::hide);
}

void Dock::addHideButton(const QString& text) {
    auto* hide = new QAction(widgets::icon(QStringLiteral("close")), text, this);
    connect(hide, &QAction::triggered, this, &QDockWidget::hide);
    m_header->addButton(hide);
}

} // namespace headroom::app
