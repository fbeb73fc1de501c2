// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/session.h"
#include "app/jobs/worker_process.h"

#include <QObject>

#include <filesystem>

namespace headroom::app {

class UndoneAlignments;

/// Lets the worker find the words and phones of a known text in an open recording (`align`, core/protocol),
/// writes them into a TextGrid and opens it as the utterance's alignment: from then on it is like any other,
/// and its origin says who made it. What goes wrong, and what the worker warns of, is said in Messages.
/// Window's thread.
class AlignRequest : public QObject {
    Q_OBJECT

public:
    /// Both borrowed.
    AlignRequest(Session* session, WorkerProcess* worker, QObject* parent = nullptr);

    /// `file` is replaced where it is there: ask before.
    void start(UtteranceId id, const QString& text, const std::filesystem::path& file);
    bool isBusy() const { return m_running > 0; }

Q_SIGNALS:
    /// `sentence`: empty, or what went wrong.
    void finished(headroom::app::UtteranceId id, const QString& sentence);

private:
    void answered(UtteranceId id, const std::filesystem::path& file, Seconds duration,
                  const WorkerReply& reply);

    Session* m_session;
    WorkerProcess* m_worker;
    UndoneAlignments* m_undone;
    int m_running = 0;
};

} // namespace headroom::app
