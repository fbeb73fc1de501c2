// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace headroom::app {

/// Whether there is a file or a folder of this name. What cannot be looked at is not there. Any thread.
inline bool isOnDisk(const std::filesystem::path& path) {
    std::error_code ignored;
    return std::filesystem::exists(path, ignored);
}

} // namespace headroom::app
