// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QProcess>
#include <QString>
#include <QStringList>

namespace headroom::testing {

/// Runs the worker of a story. Returns what it says on standard error, or an empty text if it did well.
inline QString runWorker(const QStringList& arguments) {
    QProcess worker;
    worker.start(qEnvironmentVariable("HEADROOM_WORKER"), arguments);
    if (!worker.waitForFinished(120000))
        return QStringLiteral("The worker did not end.");
    return worker.exitCode() == 0 ? QString() : QString::fromUtf8(worker.readAllStandardError());
}

} // namespace headroom::testing
