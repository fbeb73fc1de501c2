// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/undefined.h"

#include <QList>
#include <QObject>
#include <QProcess>
#include <QString>

#include <map>
#include <optional>

namespace headroom::app {

/// How busy a machine was when it was looked at last. A value; NaN is unknown.
struct MachineLoad {
    struct Gpu {
        QString id, name; ///< "cuda:0"
        double memoryBytes = kUndefined, usedBytes = kUndefined, busy = kUndefined; ///< busy: 0 … 1
    };
    double load = kUndefined, seconds = kUndefined; ///< processes that compute, mean of a minute; how long the look took
    int threads = 0;
    double memoryBytes = kUndefined, freeBytes = kUndefined;
    QList<Gpu> gpus;
    QString error;     ///< why nothing was answered; the numbers are those of before
    qint64 answered = 0; ///< when it answered last, seconds of UTC; 0: never
};

/// One line of `headroom-worker places monitor`: the name of the place (empty: this machine), and what it says; nothing for another text.
/// With an error, `load` keeps its numbers. Pure.
bool readLoad(const QByteArray& line, QString& place, MachineLoad& load, qint64 now);

/// Looks at this machine and at every ssh host of the list while somebody wants to see it: one process, and nothing of Headroom there.
/// Window's thread.
class PlaceMonitor : public QObject {
    Q_OBJECT

public:
    explicit PlaceMonitor(QObject* parent = nullptr);
    ~PlaceMonitor() override; ///< ends the process

    void start(); ///< does nothing while it looks
    void stop();
    /// Begins again: the list of places has changed.
    void restart();
    bool isRunning() const { return m_process.state() != QProcess::NotRunning; }
    /// By the name of the place; empty: this machine.
    const std::map<QString, MachineLoad>& loads() const { return m_loads; }

Q_SIGNALS:
    void changed();

private:
    void read();

    QProcess m_process;
    std::map<QString, MachineLoad> m_loads;
};

} // namespace headroom::app
