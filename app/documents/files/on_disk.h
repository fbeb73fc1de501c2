// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace headroom::app {

/// Whether there is a file or a folder of this name. What cannot be looked at is not there. Any thread.
inline bool isOnDisk(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

/// Whether nothing is there for certain: what cannot be looked at, as on a server that does not answer, is not gone. Any thread.
inline bool isGone(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::status(path, ignored).type() == std::filesystem::file_type::not_found;
}

} // namespace headroom::app
