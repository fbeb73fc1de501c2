// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/data/pieces_learner.h"

#include "app/jobs/worker_command.h"
#include "app/jobs/worker_location.h"

#include <nlohmann/json.hpp>
#include <QTimer>

namespace headroom::app {

namespace {
constexpr int kLearnerEndMilliseconds = 2000;
}

PiecesLearner::PiecesLearner(QObject* parent) : QObject(parent) {
    m_process.setProcessChannelMode(QProcess::SeparateChannels);
    m_process.setStandardInputFile(QProcess::nullDevice());
    connect(&m_process, &QProcess::finished, this, &PiecesLearner::end);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT failed(
                tr("%1 could not be started: %2.").arg(m_process.program(), m_process.errorString()));
    });
}

PiecesLearner::~PiecesLearner() {
    m_process.disconnect(this);
    if (!isRunning())
        return;
    m_process.terminate();
    if (!m_process.waitForFinished(kLearnerEndMilliseconds)) {
        m_process.kill();
        m_process.waitForFinished(kLearnerEndMilliseconds);
    }
}

void PiecesLearner::start(const PiecesOptions& options) {
    if (isRunning())
        return;
    const WorkerLocation worker = findWorker();
    if (worker.program.isEmpty())
        return Q_EMIT failed(worker.sentence);
    m_cancelled = false;
    m_process.start(worker.program, processArguments(arguments(options)) << QStringLiteral("--json"));
}

void PiecesLearner::cancel() {
    if (!isRunning())
        return;
    m_cancelled = true;
    m_process.terminate();
    QTimer::singleShot(kLearnerEndMilliseconds, &m_process, [this] {
        if (m_cancelled && isRunning())
            m_process.kill();
    });
}

void PiecesLearner::end(int status, QProcess::ExitStatus how) {
    if (m_cancelled)
        return Q_EMIT failed({});
    const auto report =
        nlohmann::json::parse(m_process.readAllStandardOutput().toStdString(), nullptr, false);
    if (how == QProcess::NormalExit && status == 0 && report.is_object())
        return Q_EMIT finished(report);
    const QStringList lines =
        QString::fromUtf8(m_process.readAllStandardError()).split(u'\n', Qt::SkipEmptyParts);
    Q_EMIT failed(lines.isEmpty() ? tr("The worker stopped while it learnt pieces. Nothing was written.")
                                  : lines.last());
}

} // namespace headroom::app
