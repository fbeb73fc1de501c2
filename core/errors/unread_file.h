// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <system_error>

namespace headroom {

/// The end of a sentence that begins with the name of a file that could not be opened: " does not exist." or " could not be read."
inline const char* whyUnread(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::exists(file, ignored) ? " could not be read." : " does not exist.";
}

} // namespace headroom
