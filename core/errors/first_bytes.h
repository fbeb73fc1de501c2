// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <filesystem>
#include <fstream>
#include <span>
#include <string>
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

inline constexpr std::size_t kFirstBytes = 128; ///< enough for notDownloaded()

/// The first bytes of a file in memory, as text.
inline std::string_view firstText(std::span<const std::byte> bytes) {
    return {reinterpret_cast<const char*>(bytes.data()), std::min(bytes.size(), kFirstBytes)};
}

/// The first bytes of a file; none of one that is missing or unreadable.
inline std::string firstBytes(const std::filesystem::path& file) {
    std::string first(kFirstBytes, '\0');
    std::ifstream stream(file, std::ios::binary);
    stream.read(first.data(), static_cast<std::streamsize>(first.size()));
    first.resize(static_cast<std::size_t>(stream.gcount()));
    return first;
}

/// As notDownloaded() of the file's first bytes; null for a file that is missing or unreadable.
inline const char* notDownloadedAt(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::is_regular_file(file, ignored) ? notDownloaded(firstBytes(file)) : nullptr; // a pipe would be waited for
}

} // namespace headroom
