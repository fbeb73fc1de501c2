// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QStringList>

namespace headroom::testing {

/// Command lines of the workers of this machine that name the folder, besides those of `ssh` and its server.
inline QStringList processesOf(const QString& folder) {
    QStringList found;
    for (const QString& process : QDir("/proc").entryList(QDir::Dirs)) {
        QFile words("/proc/" + process + "/cmdline");
        if (process.toInt() <= 0 || process.toLongLong() == QCoreApplication::applicationPid() ||
            !words.open(QIODevice::ReadOnly))
            continue;
        const QString line = QString::fromUtf8(words.readAll()).replace(QChar(0), u' ');
        if (line.contains(folder) && line.contains("headroom-worker") && !line.startsWith("ssh"))
            found << line;
    }
    return found;
}

} // namespace headroom::testing
