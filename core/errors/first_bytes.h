// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace headroom {

/// What a file is in place of its contents, by its first bytes, as half a sentence after its name: a pointer of Git LFS, or the web page that a
/// failed download leaves. Null for anything else.
inline const char* notDownloaded(std::string_view bytes) {
    if (bytes.starts_with("version https://git-lfs"))
        return "is a pointer of Git LFS, and its contents were not downloaded (git lfs pull)";
    bytes.remove_prefix(bytes.find_first_not_of(" \t\r\n") == std::string_view::npos ? bytes.size() : bytes.find_first_not_of(" \t\r\n"));
    for (const std::string_view start : {"<!DOCTYPE", "<!doctype", "<html", "<HTML"})
        if (bytes.starts_with(start))
            return "is a web page, as a failed download leaves one; download it again";
    return nullptr;
}

} // namespace headroom
