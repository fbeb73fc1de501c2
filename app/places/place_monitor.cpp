// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/place_monitor.h"

#include "app/jobs/worker_location.h"

#include <nlohmann/json.hpp>

#include <QDateTime>

namespace headroom::app {

using nlohmann::json;

namespace {

constexpr int kEndMilliseconds = 2000;

double loadNumber(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_number() ? found->get<double>() : kUndefined;
}

QString loadText(const json& object, const char* key) {
    const auto found = object.find(key);
    return found != object.end() && found->is_string() ? QString::fromStdString(found->get<std::string>()) : QString();
}

} // namespace

bool readLoad(const QByteArray& line, QString& place, MachineLoad& load, qint64 now) {
    const json document = json::parse(line.begin(), line.end(), nullptr, false);
    if (!document.is_object() || !document.contains("place") || !document.contains("error"))
        return false;
    place = loadText(document, "place");
    load.error = loadText(document, "error");
    if (!load.error.isEmpty())
        return true;
    load.answered = now;
    load.load = loadNumber(document, "load");
    load.seconds = loadNumber(document, "seconds");
    load.memoryBytes = loadNumber(document, "memoryBytes");
    load.freeBytes = loadNumber(document, "freeBytes");
    const double threads = loadNumber(document, "threads");
    load.threads = threads > 0 ? static_cast<int>(threads) : 0;
    load.gpus.clear();
    for (const json& gpu : document.value("gpus", json::array()))
        if (gpu.is_object())
            load.gpus.push_back({loadText(gpu, "id"), loadText(gpu, "name"), loadNumber(gpu, "memoryBytes"), loadNumber(gpu, "usedBytes"),
                                 loadNumber(gpu, "busy")});
    return true;
}

PlaceMonitor::PlaceMonitor(QObject* parent) : QObject(parent) {
    m_process.setStandardErrorFile(QProcess::nullDevice());
    connect(&m_process, &QProcess::readyReadStandardOutput, this, &PlaceMonitor::read);
}

PlaceMonitor::~PlaceMonitor() {
    m_process.disconnect(this);
    stop();
}

void PlaceMonitor::start() {
    const WorkerLocation worker = findWorker();
    if (isRunning() || worker.program.isEmpty())
        return;
    m_process.start(worker.program, {QStringLiteral("places"), QStringLiteral("monitor")});
}

void PlaceMonitor::stop() {
    if (!isRunning())
        return;
    m_process.closeWriteChannel(); // it ends with its input, at once
    if (!m_process.waitForFinished(kEndMilliseconds)) {
        m_process.kill();
        m_process.waitForFinished(kEndMilliseconds);
    }
}

void PlaceMonitor::restart() {
    if (!isRunning())
        return;
    stop();
    m_loads.clear();
    start();
}

void PlaceMonitor::read() {
    while (m_process.canReadLine()) {
        const QByteArray line = m_process.readLine();
        QString place;
        MachineLoad load;
        if (!readLoad(line, place, load, 0))
            continue;
        readLoad(line, place, m_loads[place], QDateTime::currentSecsSinceEpoch());
        Q_EMIT changed();
    }
}

} // namespace headroom::app
