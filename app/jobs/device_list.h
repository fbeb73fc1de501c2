// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/jobs/worker_task.h"

#include <QList>
#include <QObject>
#include <QString>

#include <optional>

namespace headroom::app {

/// A device of this machine as `headroom-worker devices --json` lists it. A value.
struct MachineDevice {
    QString id;      ///< "cpu", "cuda:0": what --device takes
    QString name;    ///< "NVIDIA H200"; with the id, "NVIDIA H200 (cuda:1)", where there are several
    QString detail;  ///< "2 threads, 21.8 GB free of 25.3 GB"
    QString missing; ///< why it cannot be used, one sentence; empty: it can
    bool operator==(const MachineDevice&) const = default;
};

/// What the document of `devices --json` lists; `noGpu` gets the sentence why there is no GPU, or an empty text. Nothing
/// for another document. Pure.
std::optional<QList<MachineDevice>> devicesFrom(const QByteArray& document, QString& noGpu);

/// The devices of this machine, asked for when somebody first wants them. Window's thread.
class DeviceList : public QObject {
    Q_OBJECT

public:
    explicit DeviceList(QObject* parent = nullptr);

    /// Starts the worker to look; does nothing while one looks, or after the first answer.
    void look();
    bool isPending() const { return m_task.isRunning(); }
    bool hasAnswered() const { return m_answered; } ///< also if the worker could not list them
    const QList<MachineDevice>& devices() const { return m_devices; } ///< empty until changed()
    const QString& noGpu() const { return m_noGpu; }

Q_SIGNALS:
    void changed();

private:
    WorkerTask m_task;
    QList<MachineDevice> m_devices;
    QString m_noGpu;
    bool m_asked = false, m_answered = false;
};

} // namespace headroom::app
