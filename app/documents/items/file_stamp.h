// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace headroom::app {

/// Time and size of a file: while they stay the same, so does the content. Any thread.
struct FileStamp {
    std::filesystem::file_time_type time{};
    std::uintmax_t size = 0;
    bool operator==(const FileStamp&) const = default;

    /// Returns FileStamp() if the file cannot be looked at.
    static FileStamp of(const std::filesystem::path& file) {
        std::error_code mistake;
        FileStamp stamp{std::filesystem::last_write_time(file, mistake), 0};
        if (!mistake)
            stamp.size = std::filesystem::file_size(file, mistake);
        return mistake ? FileStamp() : stamp;
    }
};

} // namespace headroom::app
