// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/documents/items/typed_path.h"

#include "app/documents/items/paths.h"
#include "widgets/look/translate.h"

#include <QDir>

namespace headroom::app {

std::filesystem::path typedPath(const QString& text) {
    const QString typed = text.trimmed();
    const bool isInHome = typed == QLatin1String("~") || typed.startsWith(QLatin1String("~/"));
    return toPath(isInHome ? QDir::homePath() + typed.mid(1) : typed);
}

QString notFullText(const std::filesystem::path& path) {
    return path.empty() || path.is_absolute() ? QString() : tr("%1 is not a full path. Begin it with / or ~/.").arg(toQString(path));
}

} // namespace headroom::app
