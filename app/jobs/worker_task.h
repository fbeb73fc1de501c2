// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QProcess>
#include <QStringList>

namespace headroom::app {

/// A command of the worker that runs once and ends: `places test`, `corpus pieces`. One at a time; its end is reported
/// exactly once. Destroying it ends the command without a report. Window's thread.
class WorkerTask : public QObject {
    Q_OBJECT

public:
    struct End {
        bool done = false;      ///< the worker ended with status 0
        bool cancelled = false; ///< by cancel()
        QByteArray output;      ///< what it printed
        /// Why it is not done: the last line of its errors, or why it could not be started. Empty where it said nothing.
        QString sentence;
    };

    explicit WorkerTask(QObject* parent = nullptr);
    ~WorkerTask() override;

    /// `arguments`: after the program's name. `environment`: in addition to that of this program, "NAME=VALUE". Does nothing while one
    /// runs.
    void start(const QStringList& arguments, const QStringList& environment = {});
    /// Asks it to end, and kills it two seconds later.
    void cancel();
    /// The same at once and without a report: waits for its end.
    void abandon();
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }

Q_SIGNALS:
    void said(const QString& line); ///< each line of its standard error
    void ended(const headroom::app::WorkerTask::End& end);

private:
    void readErrors();
    void end(bool done);

    QProcess m_process;
    QByteArray m_rest;
    QString m_lastLine;
    bool m_cancelled = false;
};

} // namespace headroom::app
