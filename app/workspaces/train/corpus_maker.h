// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_task.h"
#include "app/settings/demo_corpora.h"

#include <QObject>

#include <filesystem>

namespace headroom::app {

/// Makes the demo corpus with `headroom-worker corpus demo`, once at a time. It is made beside its place and
/// renamed when it is whole, so that a cancelled one leaves nothing that looks like a corpus. Window's
/// thread.
class CorpusMaker : public QObject {
    Q_OBJECT

public:
    explicit CorpusMaker(QObject* parent = nullptr);
    ~CorpusMaker() override; ///< ends it: a corpus takes a minute, nobody waits for it unseen

    void start(const std::filesystem::path& folder, DemoCorpus kind);
    void cancel() { m_task.cancel(); }
    bool isRunning() const { return m_task.isRunning(); }

Q_SIGNALS:
    void progressed(const QString& text);
    void finished(const std::filesystem::path& folder);
    void failed(const QString& sentence); ///< empty: cancelled

private:
    void finish(const WorkerTask::End& end);

    WorkerTask m_task;
    std::filesystem::path m_folder, m_partial;
};

} // namespace headroom::app
