// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

namespace headroom::app {

/// What tells a corpus that was changed from what was read of it. A value.
struct CorpusVersion {
    std::filesystem::file_time_type newest = std::filesystem::file_time_type::min(); ///< of the times that are past
    std::uint64_t state = 0; ///< of times, sizes and permissions
    bool operator==(const CorpusVersion&) const = default;
};
/// Of the folder, what is directly in it, and `files`: other files and folders on which what was read depends. Reads none of them. Blocks.
CorpusVersion versionOfCorpus(const std::filesystem::path& corpus, const std::vector<std::filesystem::path>& files);

} // namespace headroom::app
