// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

namespace headroom::app {

/// Where the worker program is. If HEADROOM_WORKER is set, it alone decides; a wrong value is reported. A value;
/// any thread.
struct WorkerLocation {
    QString program;      ///< absolute; empty where it was not found
    QStringList searched; ///< every place that was looked at, in order
    QString sentence;     ///< empty where it was found: “headroom-worker was not found. Looked at …”
};

/// HEADROOM_WORKER, then beside the executable.
WorkerLocation findWorker();

} // namespace headroom::app
