// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/workspaces/train/corpus_maker.h"

#include "app/documents/items/paths.h"
#include "app/jobs/worker_command.h"
#include "core/commands/worker_commands.h"

namespace headroom::app {

namespace fs = std::filesystem;

CorpusMaker::CorpusMaker(QObject* parent) : QObject(parent) {
    connect(&m_task, &WorkerTask::said, this, &CorpusMaker::progressed);
    connect(&m_task, &WorkerTask::ended, this, &CorpusMaker::finish);
}

CorpusMaker::~CorpusMaker() {
    m_task.abandon();
    std::error_code ignored;
    if (!m_partial.empty())
        fs::remove_all(m_partial, ignored);
}

void CorpusMaker::start(const fs::path& folder, DemoCorpus kind) {
    if (isRunning())
        return;
    m_folder = folder;
    m_partial = folder.parent_path() / (folder.filename().string() + ".partial");
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
    demo.text = kind == DemoCorpus::Text;
    m_task.start(processArguments(arguments(demo)));
}

void CorpusMaker::finish(const WorkerTask::End& end) {
    std::error_code problem;
    QString sentence = end.sentence;
    if (end.done) {
        fs::rename(m_partial, m_folder, problem);
        if (!problem)
            return Q_EMIT finished(m_folder);
        sentence = tr("%1 could not be renamed: %2.")
                       .arg(toQString(m_partial), QString::fromStdString(problem.message()));
    }
    fs::remove_all(m_partial, problem);
    if (end.cancelled)
        return Q_EMIT failed({});
    Q_EMIT failed(sentence.isEmpty() ? tr("The worker stopped while making the corpus. Nothing was saved.")
                                     : sentence);
}

} // namespace headroom::app
