// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/device_list.h"

#include "widgets/look/number_text.h"
#include "widgets/look/translate.h"

#include <QHash>
#include <QStringList>

#include <nlohmann/json.hpp>

namespace headroom::app {

namespace {

QString textOf(const nlohmann::json& row, const char* key) {
    const auto found = row.find(key);
    return found != row.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

QString gigabytes(double bytes) {
    return widgets::numberText(bytes / 1e9, 1) + widgets::kNarrowSpace + QStringLiteral("GB");
}

QString deviceDetail(const nlohmann::json& row) {
    QStringList parts;
    const auto number = [&](const char* key) {
        const auto found = row.find(key);
        return found != row.end() && found->is_number() ? found->get<double>() : -1.0;
    };
    if (const double threads = number("threads"); threads > 0)
        parts << (threads == 1 ? tr("1 thread") : tr("%1 threads").arg(static_cast<int>(threads)));
    const double all = number("memoryBytes"), left = number("freeBytes");
    if (all > 0)
        parts << (left >= 0 ? tr("%1 free of %2").arg(gigabytes(left), gigabytes(all)) : gigabytes(all));
    if (const QString driver = textOf(row, "driver"); !driver.isEmpty())
        parts << tr("driver %1").arg(driver);
    return parts.join(QStringLiteral(", "));
}

} // namespace

std::optional<QList<MachineDevice>> devicesFrom(const QByteArray& document, QString& noGpu) {
    noGpu.clear();
    const auto read = nlohmann::json::parse(document.begin(), document.end(), nullptr, false);
    if (!read.is_object() || read.value("format", nlohmann::json()) != "headroom/devices" || !read.contains("devices") ||
        !read["devices"].is_array())
        return std::nullopt;
    QList<MachineDevice> devices;
    for (const auto& row : read["devices"])
        if (row.is_object() && !textOf(row, "id").isEmpty())
            devices.push_back({textOf(row, "id"), textOf(row, "name"), deviceDetail(row), textOf(row, "missing")});
    // A server has eight of one name: then the number tells them apart.
    QHash<QString, int> named;
    for (const MachineDevice& device : devices)
        ++named[device.name];
    for (MachineDevice& device : devices)
        if (named[device.name] > 1)
            device.name += QStringLiteral(" (%1)").arg(device.id);
    noGpu = textOf(read, "noGpu");
    return devices;
}

DeviceList::DeviceList(QObject* parent) : QObject(parent) {
    connect(&m_task, &WorkerTask::ended, this, [this](const WorkerTask::End& end) {
        m_answered = true;
        if (const auto found = devicesFrom(end.output, m_noGpu))
            m_devices = *found;
        Q_EMIT changed();
    });
}

void DeviceList::look() {
    if (m_asked)
        return;
    m_asked = true;
    m_task.start({QStringLiteral("devices"), QStringLiteral("--json")});
}

} // namespace headroom::app
