// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/settings/app_settings.h"

#include <QFileInfo>

namespace headroom::app {

/// Asks for a path in a dialogue that begins where the last one of its purpose ended, and remembers where this one ends.
/// `ask` gets the folder to begin in and returns a path; empty: given up.
template <class Ask>
QString askBeside(AppSettings& settings, AppSettings::FolderOf purpose, const Ask& ask) {
    const QString path = ask(settings.lastFolder(purpose));
    if (!path.isEmpty())
        settings.setLastFolder(purpose, QFileInfo(path).absolutePath());
    return path;
}

} // namespace headroom::app
