// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/where_choices.h"

#include "app/jobs/device_list.h"
#include "app/places/place_store.h"
#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <QStringList>

#include <algorithm>

namespace headroom::app {

namespace {

WhereChoice choiceOf(const Place& place) {
    const bool slurm = place.kind == Place::Kind::Slurm;
    QStringList about{slurm ? tr("Slurm") : tr("ssh")};
    about << QString::fromStdString(slurm ? place.slurm.partition : place.host);
    if (slurm && place.slurm.gpus > 0)
        about << tr("%1 × %2").arg(place.slurm.nodes).arg(widgets::counted(place.slurm.gpus, tr("1 GPU"), tr("%1 GPUs")));
    if (slurm)
        about << QString::fromStdString(place.slurm.time);
    about.removeAll(QString());
    const QString name = QString::fromStdString(place.name);
    return {name, about.join(QStringLiteral(", ")), {}, slurm ? QStringLiteral("cluster") : QStringLiteral("server"), {}, name};
}

} // namespace

std::vector<WhereChoice> whereChoices(const PlaceStore& places, const DeviceList& devices, AllGpus allGpus, const QString& wanted) {
    std::vector<WhereChoice> choices{{tr("This machine, CPU"), {}, {}, QStringLiteral("cpu"), {}, {}}};
    int usable = 0;
    for (const MachineDevice& device : devices.devices()) {
        if (device.id == QLatin1String("cpu")) {
            choices.front().detail = device.detail;
            continue;
        }
        usable += device.missing.isEmpty();
        choices.push_back({tr("This machine, %1").arg(device.name), device.detail, device.missing, QStringLiteral("server"), device.id, {}});
    }
    if (usable > 1 && allGpus == AllGpus::Offered)
        choices.push_back({tr("This machine, all %1 GPUs").arg(usable), tr("train each run together"), {}, QStringLiteral("server"),
                           QStringLiteral("all"), {}});
    if (!devices.hasAnswered() && std::ranges::none_of(choices, [&](const WhereChoice& choice) { return choice.device == wanted; }))
        choices.push_back({tr("Looking for %1…").arg(wanted), tr("It is used if it is found"), {}, QStringLiteral("server"), wanted, {}});
    for (const Place& place : places.places())
        choices.push_back(choiceOf(place));
    return choices;
}

} // namespace headroom::app
