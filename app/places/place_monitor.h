// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/undefined.h"

#include <QList>
#include <QObject>
#include <QProcess>
#include <QString>
#include <QTimer>

#include <map>
#include <optional>

namespace headroom::app {

/// How busy a machine was when it was looked at last. A value; NaN is unknown.
struct MachineLoad {
    struct Gpu {
        QString id, uuid, name; ///< "cuda:0" as nvidia-smi counts; the GPU's own number
        double memoryBytes = kUndefined, usedBytes = kUndefined, busy = kUndefined; ///< busy: 0 … 1
    };
    double load = kUndefined, seconds = kUndefined; ///< processes that compute, mean of a minute; until the host answers
    int threads = 0;
    double memoryBytes = kUndefined, freeBytes = kUndefined;
    QList<Gpu> gpus;
    QString error;     ///< why nothing was answered; the numbers are those of before
    qint64 answered = 0; ///< when it answered last, seconds of UTC; 0: never
};

/// By the name of the place; empty: this machine.
using MachineLoads = std::map<QString, MachineLoad>;

/// Takes one line of `headroom-worker places monitor` into the loads: with an error, the numbers of its place stay. Returns false for another
/// text. Pure.
bool readLoad(const QByteArray& line, MachineLoads& loads, qint64 now);

/// Looks at this machine and at every ssh host of the list while somebody wants to see it: one process, and nothing of Headroom there. If the
/// process ends by itself, it is started again after kAgain. Never blocks but in the destructor. Window's thread.
class PlaceMonitor : public QObject {
    Q_OBJECT

public:
    explicit PlaceMonitor(QObject* parent = nullptr);
    ~PlaceMonitor() override; ///< ends the process

    void start(); ///< does nothing while it looks
    void stop();
    /// Begins again: the list of places has changed.
    void restart();
    bool isRunning() const { return m_process != nullptr; }
    const MachineLoads& loads() const { return m_loads; }
    /// Why nothing is looked at now: the process has ended, or there is none. Empty: all is well.
    const QString& problem() const { return m_problem; }
    static constexpr int kEvery = 5, kAgain = 10; ///< seconds between two looks, and before it is started again

Q_SIGNALS:
    void changed();

private:
    void read();
    void ended(const QString& why);

    QProcess* m_process = nullptr; ///< null: none is wanted. Those that were asked to end are children until they have.
    QTimer m_again;
    MachineLoads m_loads;
    QString m_problem;
};

} // namespace headroom::app
