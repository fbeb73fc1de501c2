// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <system_error>

namespace headroom {

/// Returns the path as an absolute one without `.` and `..` parts and without a slash at its end, so that its last part is a name.
/// Links are not followed. Throws filesystem_error if the path is empty.
inline std::filesystem::path wholePath(const std::filesystem::path& path) {
    const auto whole = std::filesystem::absolute(path).lexically_normal();
    return whole.has_filename() ? whole : whole.parent_path();
}
/// The same, but returns an empty path instead of throwing.
inline std::filesystem::path wholePath(const std::filesystem::path& path, std::error_code& error) {
    const auto absolute = std::filesystem::absolute(path, error);
    return error ? std::filesystem::path() : wholePath(absolute);
}

} // namespace headroom
