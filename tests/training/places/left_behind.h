// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QMap>
#include <QStringList>

namespace headroom::testing {

/// The workers of this machine whose command lines name the folder, besides those of `ssh` and its server: by number.
inline QMap<int, QString> workersOf(const QString& folder) {
    QMap<int, QString> found;
    for (const QString& process : QDir("/proc").entryList(QDir::Dirs)) {
        QFile words("/proc/" + process + "/cmdline");
        if (process.toInt() <= 0 || process.toLongLong() == QCoreApplication::applicationPid() ||
            !words.open(QIODevice::ReadOnly))
            continue;
        const QString line = QString::fromUtf8(words.readAll()).replace(QChar(0), u' ');
        if (line.contains(folder) && line.contains("headroom-worker") && !line.startsWith("ssh"))
            found[process.toInt()] = line;
    }
    return found;
}
inline QStringList processesOf(const QString& folder) {
    return workersOf(folder).values();
}

} // namespace headroom::testing
