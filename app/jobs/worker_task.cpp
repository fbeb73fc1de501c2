// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/worker_task.h"

#include "app/jobs/worker_location.h"

#include <QTimer>

#include <utility>

namespace headroom::app {

namespace {
constexpr int kTaskEndMilliseconds = 2000;
}

WorkerTask::WorkerTask(QObject* parent) : QObject(parent) {
    m_process.setStandardInputFile(QProcess::nullDevice());
    connect(&m_process, &QProcess::readyReadStandardError, this, &WorkerTask::readErrors);
    connect(&m_process, &QProcess::finished, this, [this](int status, QProcess::ExitStatus how) {
        readErrors();
        end(how == QProcess::NormalExit && status == 0);
    });
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error != QProcess::FailedToStart)
            return;
        m_lastLine = tr("%1 could not be started: %2.").arg(m_process.program(), m_process.errorString());
        end(false);
    });
}

WorkerTask::~WorkerTask() {
    abandon();
}

void WorkerTask::start(const QStringList& arguments, const QStringList& environment) {
    if (isRunning())
        return;
    m_cancelled = false;
    m_rest.clear();
    m_lastLine.clear();
    const WorkerLocation worker = findWorker();
    if (worker.program.isEmpty()) {
        m_lastLine = worker.sentence;
        return end(false);
    }
    auto variables = QProcessEnvironment::systemEnvironment();
    for (const QString& one : environment)
        variables.insert(one.section(u'=', 0, 0), one.section(u'=', 1));
    m_process.setProcessEnvironment(variables);
    m_process.start(worker.program, arguments);
}

void WorkerTask::cancel() {
    if (!isRunning())
        return;
    m_cancelled = true;
    m_process.terminate();
    QTimer::singleShot(kTaskEndMilliseconds, &m_process, [this] {
        if (m_cancelled && isRunning())
            m_process.kill();
    });
}

void WorkerTask::abandon() {
    if (!isRunning())
        return;
    const QSignalBlocker quiet(this);
    m_process.terminate();
    if (!m_process.waitForFinished(kTaskEndMilliseconds)) {
        m_process.kill();
        m_process.waitForFinished(kTaskEndMilliseconds);
    }
}

void WorkerTask::readErrors() {
    m_rest += m_process.readAllStandardError();
    m_rest.replace('\r', '\n'); // progress that renews its line
    for (qsizetype end; (end = m_rest.indexOf('\n')) >= 0; m_rest.remove(0, end + 1))
        if (const QString line = QString::fromUtf8(m_rest.left(end)).simplified(); !line.isEmpty()) {
            m_lastLine = line;
            Q_EMIT said(line);
        }
}

void WorkerTask::end(bool done) {
    if (const QString rest = QString::fromUtf8(std::exchange(m_rest, {})).simplified(); !rest.isEmpty())
        m_lastLine = rest;
    Q_EMIT ended({done, m_cancelled, m_process.readAllStandardOutput(), done ? QString() : m_lastLine});
}

} // namespace headroom::app
