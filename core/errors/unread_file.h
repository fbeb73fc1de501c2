// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/display_name.h"

#include <filesystem>
#include <string>
#include <system_error>

namespace headroom {

/// Returns a sentence about a file that could not be opened: "corpus/a.wav does not exist.", "… could not be read." or, with a reason of
/// the system, "… could not be read: Permission denied." The path is as it was given: without its folder nobody sees where the file was
/// looked for.
inline std::string unreadText(const std::filesystem::path& file, const std::string& why = {}) {
    std::error_code problem;
    const bool isMissing = !std::filesystem::exists(file, problem) && !problem;
    return validText(file.string()) + (isMissing ? " does not exist" : why.empty() ? " could not be read" : " could not be read: " + why) + ".";
}

} // namespace headroom
