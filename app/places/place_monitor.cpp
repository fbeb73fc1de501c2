// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/places/place_monitor.h"

#include "app/jobs/worker_location.h"

#include <nlohmann/json.hpp>

#include <QDateTime>

#include <utility>

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

bool readLoad(const QByteArray& line, MachineLoads& loads, qint64 now) {
    const json document = json::parse(line.begin(), line.end(), nullptr, false);
    if (!document.is_object() || !document.contains("place") || !document.contains("error"))
        return false;
    MachineLoad& load = loads[loadText(document, "place")];
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
            load.gpus.push_back({loadText(gpu, "id"), loadText(gpu, "uuid"), loadText(gpu, "name"), loadNumber(gpu, "memoryBytes"),
                                 loadNumber(gpu, "usedBytes"), loadNumber(gpu, "busy")});
    return true;
}

PlaceMonitor::PlaceMonitor(QObject* parent) : QObject(parent) {
    m_again.setSingleShot(true);
    connect(&m_again, &QTimer::timeout, this, &PlaceMonitor::start);
}

PlaceMonitor::~PlaceMonitor() {
    stop();
    for (QProcess* process : findChildren<QProcess*>()) {
        process->disconnect(this);
        if (!process->waitForFinished(kEndMilliseconds)) {
            process->kill();
            process->waitForFinished(kEndMilliseconds);
        }
    }
}

void PlaceMonitor::start() {
    m_again.stop();
    if (isRunning())
        return;
    const WorkerLocation worker = findWorker();
    if (worker.program.isEmpty())
        return ended(worker.sentence);
    m_process = new QProcess(this);
    connect(m_process, &QProcess::readyReadStandardOutput, this, &PlaceMonitor::read);
    connect(m_process, &QProcess::finished, this, [this, process = m_process] {
        read();
        const QString said = QString::fromUtf8(process->readAllStandardError()).trimmed().section(u'\n', -1);
        ended(said.isEmpty() ? tr("headroom-worker ended.") : said);
    });
    connect(m_process, &QProcess::errorOccurred, this, [this, process = m_process](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            ended(process->errorString());
    });
    m_process->start(worker.program, {QStringLiteral("places"), QStringLiteral("monitor"), QStringLiteral("--every"), QString::number(kEvery)});
}

/// It was not asked to.
void PlaceMonitor::ended(const QString& why) {
    if (QProcess* process = std::exchange(m_process, nullptr)) {
        process->disconnect(this);
        process->deleteLater();
    }
    m_problem = why;
    m_again.start(1000 * kAgain);
    Q_EMIT changed();
}

void PlaceMonitor::stop() {
    m_again.stop();
    m_problem.clear();
    QProcess* process = std::exchange(m_process, nullptr);
    if (!process)
        return;
    process->disconnect(this);
    connect(process, &QProcess::finished, process, &QObject::deleteLater);
    connect(process, &QProcess::errorOccurred, process, &QObject::deleteLater);
    process->closeWriteChannel(); // it ends with its input, at once
    QTimer::singleShot(kEndMilliseconds, process, &QProcess::kill);
}

void PlaceMonitor::restart() {
    if (!isRunning() && !m_again.isActive())
        return;
    stop();
    m_loads.clear();
    start();
}

void PlaceMonitor::read() {
    bool news = false;
    while (m_process && m_process->canReadLine())
        news = readLoad(m_process->readLine(), m_loads, QDateTime::currentSecsSinceEpoch()) || news;
    if (!news)
        return;
    m_problem.clear();
    Q_EMIT changed();
}

} // namespace headroom::app
