// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/corpus_maker.h"

#include "app/documents/paths.h"
#include "app/jobs/worker_command.h"
#include "app/jobs/worker_location.h"
#include "core/commands/worker_commands.h"

#include <QStandardPaths>
#include <QTimer>

namespace headroom::app {

namespace fs = std::filesystem;

namespace {
constexpr int kEndMilliseconds = 2000;
}

fs::path CorpusMaker::defaultFolder() {
    return toPath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation)) / "headroom" /
           "corpora" / "demo";
}

CorpusMaker::CorpusMaker(QObject* parent) : QObject(parent) {
    m_process.setProcessChannelMode(QProcess::SeparateChannels);
    m_process.setStandardInputFile(QProcess::nullDevice());
    m_process.setStandardOutputFile(QProcess::nullDevice());
    connect(&m_process, &QProcess::readyReadStandardError, this, &CorpusMaker::read);
    connect(&m_process, &QProcess::finished, this, &CorpusMaker::end);
    connect(&m_process, &QProcess::errorOccurred, this, [this](QProcess::ProcessError error) {
        if (error == QProcess::FailedToStart)
            Q_EMIT failed(
                tr("%1 could not be started: %2.").arg(m_process.program(), m_process.errorString()));
    });
}

CorpusMaker::~CorpusMaker() {
    m_process.disconnect(this);
    if (!isRunning())
        return;
    m_process.terminate();
    if (!m_process.waitForFinished(kEndMilliseconds)) {
        m_process.kill();
        m_process.waitForFinished(kEndMilliseconds);
    }
    std::error_code ignored;
    fs::remove_all(m_partial, ignored);
}

void CorpusMaker::start(const fs::path& folder) {
    if (isRunning())
        return;
    const WorkerLocation worker = findWorker();
    if (worker.program.isEmpty())
        return Q_EMIT failed(worker.sentence);
    m_folder = folder;
    m_partial = folder.parent_path() / (folder.filename().string() + ".partial");
    m_cancelled = false;
    m_lastLine.clear();
    m_rest.clear();
    std::error_code problem;
    fs::remove_all(m_partial, problem);
    fs::create_directories(folder.parent_path(), problem);
    if (problem)
        return Q_EMIT failed(
            tr("%1 could not be created: %2.")
                .arg(toQString(folder.parent_path()), QString::fromStdString(problem.message())));
    Q_EMIT progressed(tr("Making the demo corpus…"));
    CorpusOptions demo;
    demo.out = m_partial;
    m_process.start(worker.program, processArguments(arguments(demo)));
}

void CorpusMaker::cancel() {
    if (!isRunning())
        return;
    m_cancelled = true;
    m_process.terminate();
    QTimer::singleShot(kEndMilliseconds, &m_process, [this] {
        if (m_cancelled && isRunning())
            m_process.kill();
    });
}

void CorpusMaker::read() {
    m_rest += m_process.readAllStandardError();
    m_rest.replace('\r', '\n');
    for (qsizetype end; (end = m_rest.indexOf('\n')) >= 0; m_rest.remove(0, end + 1))
        if (const QString line = QString::fromUtf8(m_rest.left(end)).simplified(); !line.isEmpty()) {
            m_lastLine = line;
            Q_EMIT progressed(line);
        }
}

void CorpusMaker::end(int status, QProcess::ExitStatus how) {
    read();
    std::error_code problem;
    if (how == QProcess::NormalExit && status == 0) {
        fs::rename(m_partial, m_folder, problem);
        if (!problem)
            return Q_EMIT finished(m_folder);
        m_lastLine = tr("%1 could not be renamed: %2.")
                         .arg(toQString(m_partial), QString::fromStdString(problem.message()));
    }
    fs::remove_all(m_partial, problem);
    if (m_cancelled)
        return Q_EMIT failed({});
    Q_EMIT failed(m_lastLine.isEmpty() ? tr("The worker stopped while making the corpus. Nothing was saved.")
                                       : m_lastLine);
}

} // namespace headroom::app
