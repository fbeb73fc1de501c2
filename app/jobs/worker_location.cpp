// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/jobs/worker_location.h"

#include "widgets/look/translate.h"

#include <QCoreApplication>
#include <QDir>
#include <QFileInfo>

namespace headroom::app {

namespace {

bool isProgram(const QString& path) {
    const QFileInfo file(path);
    return file.isFile() && file.isExecutable();
}

} // namespace

WorkerLocation findWorker() {
    WorkerLocation location;
    if (const QString set = qEnvironmentVariable("HEADROOM_WORKER"); !set.isEmpty()) {
        location.searched << set;
        if (isProgram(set))
            location.program = QFileInfo(set).absoluteFilePath();
        else
            location.sentence =
                tr("HEADROOM_WORKER is set to %1, which is not a program. Models cannot be opened.").arg(set);
        return location;
    }
    const QString beside =
        QDir(QCoreApplication::applicationDirPath()).filePath(QStringLiteral("headroom-worker"));
    location.searched << beside;
    if (isProgram(beside))
        location.program = beside;
    else
        location.sentence = tr("headroom-worker was not found next to the program (%1). Set HEADROOM_WORKER "
                               "to its path. Until then models cannot be opened.")
                                .arg(beside);
    return location;
}

} // namespace headroom::app
