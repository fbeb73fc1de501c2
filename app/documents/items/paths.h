// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/whole_path.h"

#include <QString>

#include <filesystem>

namespace headroom::app {

/// File names cross between Qt (UTF-16) and core (std::filesystem) here and nowhere else. Pure.
inline QString toQString(const std::filesystem::path& path) {
    return QString::fromStdU16String(path.u16string());
}
inline std::filesystem::path toPath(const QString& text) {
    return std::filesystem::path(text.toStdU16String());
}

/// Returns wholePath(), or the path itself if there is none: an empty path stays empty.
inline std::filesystem::path normalised(const std::filesystem::path& path) {
    std::error_code failed;
    auto whole = wholePath(path, failed);
    return failed ? path : whole;
}

} // namespace headroom::app
