// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <string_view>

namespace headroom {

/// Whether the name of a file is that of a video, or of sound in a form of videos (M4A, AAC, WMA): it has
/// sound, as a rule, and cannot be read.
inline bool isUnreadSound(const std::filesystem::path& file) {
    constexpr std::array<std::string_view, 9> kSuffixes{".mp4",  ".m4a", ".m4v", ".mov", ".mkv",
                                                        ".webm", ".avi", ".wma", ".aac"};
    auto suffix = file.extension().string();
    std::transform(suffix.begin(), suffix.end(), suffix.begin(),
                   [](unsigned char c) { return static_cast<char>(c < 0x80 ? std::tolower(c) : c); });
    return std::find(kSuffixes.begin(), kSuffixes.end(), suffix) != kSuffixes.end();
}

} // namespace headroom
