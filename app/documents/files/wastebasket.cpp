// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/files/wastebasket.h"

#include "app/documents/items/messages.h"
#include "app/documents/items/paths.h"

#include <QDir>
#include <QFile>
#include <QStandardPaths>

namespace headroom::app {

namespace fs = std::filesystem;

QString moveToWastebasket(const fs::path& folder, InWastebasket& moved) {
    // Qt makes the wastebasket in the user's data folder, but not that folder, and writes into the working
    // folder instead where it is missing (6.4).
    QDir().mkpath(QStandardPaths::writableLocation(QStandardPaths::GenericDataLocation));
    QString there;
    if (!QFile::moveToTrash(toQString(folder), &there))
        return Messages::tr("%1 could not be moved to the wastebasket, because this file system has none. Nothing "
                            "was deleted.")
            .arg(toQString(folder));
    moved = {folder, toPath(there)};
    return {};
}

QString bringBack(const InWastebasket& moved) {
    std::error_code problem;
    if (fs::exists(moved.folder, problem))
        return Messages::tr("%1 exists again, so the deleted one stays in the wastebasket.").arg(toQString(moved.folder));
    fs::rename(moved.there, moved.folder, problem);
    if (problem)
        return Messages::tr("%1 could not be brought back: %2.")
            .arg(toQString(moved.folder), QString::fromStdString(problem.message()));
    // What the wastebasket keeps about it (freedesktop.org, Trash specification).
    fs::remove(moved.there.parent_path().parent_path() / "info" / (moved.there.filename().string() + ".trashinfo"), problem);
    return {};
}

} // namespace headroom::app
