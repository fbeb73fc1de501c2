// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/file_icons.h"

#include "widgets/look/icons.h"

#include <QFileInfo>

namespace headroom::widgets {

QIcon FileIcons::icon(IconType type) const {
    switch (type) {
    case Computer:
    case Desktop:
    case Drive:
    case Network:
        return widgets::icon(QStringLiteral("server"));
    case Folder:
        return widgets::icon(QStringLiteral("folder"));
    default:
        return widgets::icon(QStringLiteral("text"));
    }
}

QIcon FileIcons::icon(const QFileInfo& info) const {
    if (info.isDir())
        return icon(Folder);
    const QStringList sounds{QStringLiteral("wav"),  QStringLiteral("flac"), QStringLiteral("ogg"),
                             QStringLiteral("opus"), QStringLiteral("mp3"),  QStringLiteral("aiff"),
                             QStringLiteral("aif")};
    return sounds.contains(info.suffix().toLower()) ? widgets::icon(QStringLiteral("audio")) : icon(File);
}

} // namespace headroom::widgets
