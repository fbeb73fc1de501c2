// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/window/device_menu.h"

#include "app/jobs/analysis_service.h"
#include "app/jobs/device_list.h"
#include "app/jobs/worker_process.h"
#include "app/parts/access_keys.h"
#include "app/parts/availability.h"
#include "app/places/place_store.h"

#include <QAction>
#include <QMenu>

namespace headroom::app {

DeviceMenu::DeviceMenu(QMenu* menu, const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_parts(parts)
    , m_menu(menu) {
    connect(menu, &QMenu::aboutToShow, parts.devices, &DeviceList::look);
    connect(menu, &QMenu::aboutToShow, this, &DeviceMenu::fill);
    connect(parts.devices, &DeviceList::changed, this, &DeviceMenu::fill);
    connect(parts.places, &PlaceStore::changed, this, &DeviceMenu::fill);
    fill();
}

void DeviceMenu::fill() {
    qDeleteAll(m_mine);
    m_mine.clear();
    QAction* before = m_menu->actions().value(0);
    const auto add = [&](const QString& text, const QString& place, const QString& device, const QString& tip,
                         const QString& whyNot = {}) {
        auto* action = new QAction(asActionText(text), m_menu);
        action->setCheckable(true);
        action->setChecked(m_parts.worker->place() == place && (!place.isEmpty() || m_parts.worker->device() == device));
        action->setToolTip(tip);
        if (!whyNot.isEmpty())
            setAvailable(action, whyNot);
        connect(action, &QAction::triggered, this, [this, place, device] { choose(place, device); });
        m_menu->insertAction(before, action);
        m_mine << action;
    };
    add(tr("This machine"), {}, {}, tr("Models run here, on the CPU."));
    for (const MachineDevice& device : m_parts.devices->devices())
        if (device.id != QLatin1String("cpu"))
            add(tr("This machine, %1").arg(device.name), {}, device.id,
                tr("%1: %2").arg(device.id, device.detail), device.missing);
    if (!m_parts.devices->noGpu().isEmpty())
        add(tr("This machine, GPU"), {}, QStringLiteral("cuda"), {}, m_parts.devices->noGpu());
    // A cluster has no worker that waits for a window.
    for (const Place& place : m_parts.places->places())
        if (place.kind == Place::Kind::Ssh)
            add(QString::fromStdString(place.name), QString::fromStdString(place.name), {},
                tr("Models run at %1. Models and recordings are copied there once.")
                    .arg(QString::fromStdString(place.host)));
    m_mine << m_menu->insertSeparator(before);
}

void DeviceMenu::choose(const QString& place, const QString& device) {
    if (m_parts.worker->place() == place && m_parts.worker->device() == device)
        return;
    m_parts.worker->stop();
    m_parts.worker->setPlace(place);
    m_parts.worker->setDevice(device);
    m_parts.analysis->restartWorker();
}

} // namespace headroom::app
