// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/display_name.h"

#include <filesystem>
#include <string>
#include <system_error>

namespace headroom {

/// Returns a sentence about a file that could not be opened: "corpus/a.wav does not exist." or "… could not be read." The path is as it was
/// given: without its folder nobody sees where the file was looked for.
inline std::string unreadText(const std::filesystem::path& file) {
    std::error_code ignored;
    return validText(file.string()) + (std::filesystem::exists(file, ignored) ? " could not be read." : " does not exist.");
}

} // namespace headroom
