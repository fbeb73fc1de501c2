// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/device_menu.h"

#include "app/jobs/analysis_service.h"
#include "app/jobs/worker_process.h"
#include "app/places/place_store.h"

#include <QAction>
#include <QMenu>

namespace headroom::app {

DeviceMenu::DeviceMenu(QMenu* menu, const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_menu(menu) {
    connect(menu, &QMenu::aboutToShow, this, &DeviceMenu::fill);
    connect(parts.places, &PlaceStore::changed, this, &DeviceMenu::fill);
    fill();
}

void DeviceMenu::fill() {
    qDeleteAll(m_mine);
    m_mine.clear();
    QAction* before = m_menu->actions().value(0);
    const auto add = [&](const QString& text, const QString& place, const QString& tip) {
        auto* action = new QAction(text, m_menu);
        action->setCheckable(true);
        action->setChecked(m_parts.worker->place() == place);
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, [this, place] { choose(place); });
        m_menu->insertAction(before, action);
        m_mine << action;
    };
    add(tr("This machine"), {}, tr("Models are computed here."));
    // A cluster has no worker that waits for a window.
    for (const Place& place : m_parts.places->places())
        if (place.kind == Place::Kind::Ssh)
            add(QString::fromStdString(place.name), QString::fromStdString(place.name),
                tr("Models are computed at %1. They are copied there once, and sounds too.")
                    .arg(QString::fromStdString(place.host)));
    m_mine << m_menu->insertSeparator(before);
}

void DeviceMenu::choose(const QString& place) {
    if (m_parts.worker->place() == place)
        return;
    m_parts.worker->stop();
    m_parts.worker->setPlace(place);
    m_parts.analysis->restartWorker();
}

} // namespace headroom::app
