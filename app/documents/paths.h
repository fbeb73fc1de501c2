// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

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

/// Absolute and without . or .. parts, so that the same file is the same path. Links are not followed.
inline std::filesystem::path normalised(const std::filesystem::path& path) {
    std::error_code ignored;
    const auto absolute = std::filesystem::absolute(path, ignored);
    auto normal = (ignored ? path : absolute).lexically_normal();
    return normal.has_filename() ? normal : normal.parent_path(); // "folder/" is "folder"
}

} // namespace headroom::app
