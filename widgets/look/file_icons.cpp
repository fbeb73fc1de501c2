// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/look/file_icons.h"

#include "core/audio/sound_endings.h"
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
    return isNamedAsSound(info.fileName().toStdString()) ? widgets::icon(QStringLiteral("audio")) : icon(File);
}

} // namespace headroom::widgets
