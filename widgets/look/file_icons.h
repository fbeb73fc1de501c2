// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileIconProvider>

namespace headroom::widgets {

/// Headroom's icons for Qt's own file dialogue: folders, recordings, everything else as text. Follows the theme.
/// Window's thread.
class FileIcons : public QFileIconProvider {
public:
    QIcon icon(IconType type) const override;
    QIcon icon(const QFileInfo& info) const override;
};

} // namespace headroom::widgets
