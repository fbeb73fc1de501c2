// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/analyse/common/dock_tools.h"

#include "app/parts/dock.h"
#include "widgets/look/sizes.h"

#include <QMainWindow>
#include <QScrollArea>

namespace headroom::app {

void showDock(QMainWindow* host, Dock* dock, double units) {
    if (!dock->isVisible()) {
        dock->show();
        if (units > 0)
            host->resizeDocks({dock}, {qRound(widgets::Sizes::unit() * units)}, Qt::Vertical);
    }
    dock->raise();
}

QScrollArea* scrolled(QWidget* content) {
    auto* area = new QScrollArea;
    area->setWidget(content);
    area->setWidgetResizable(true);
    area->setFrameShape(QFrame::NoFrame);
    area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    area->setFocusPolicy(Qt::NoFocus);
    return area;
}

} // namespace headroom::app
