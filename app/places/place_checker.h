// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_task.h"
#include "app/parts/checks_panel.h"
#include "core/places/place.h"

#include <QObject>
#include <QTemporaryDir>

namespace headroom::app {

/// Runs `headroom-worker places test NAME --json`, or `install`, also with `--remove`, and turns its answer into lines. One at a time; a new start
/// ends the last. Window's thread.
class PlaceChecker : public QObject {
    Q_OBJECT

public:
    explicit PlaceChecker(QObject* parent = nullptr);

    enum class Work { Test, Install, Remove };
    /// Asks a place that need not be in the list of places. Throws Error "places.unwritable" where it cannot be handed to the worker.
    void test(const Place& place);
    /// Copies the worker to a place that need not be in the list either. Throws like test().
    void install(const Place& place);
    void removeWorker(const QString& place); ///< from a place of the list
    void cancel() { m_task.abandon(); } ///< says nothing more
    bool isRunning() const { return m_task.isRunning(); }
    Work work() const { return m_work; } ///< that runs, or ran last

    /// The lines of an answer; the tool tip of each says what to do. Empty where it is no answer.
    static QList<Check> checksIn(const QByteArray& answer);

Q_SIGNALS:
    /// `sentence`: the first thing that is wrong, or what was found; empty lines where nothing could be
    /// asked.
    void finished(bool usable, const QList<headroom::app::Check>& checks, const QString& sentence);

private:
    void begin(const QString& place, Work work, const QStringList& environment);
    void beginUnlisted(const Place& place, Work work);
    void show(const WorkerTask::End& end);

    QTemporaryDir m_folder; ///< of the list with the place that is tested
    WorkerTask m_task;
    Work m_work = Work::Test;
};

} // namespace headroom::app
