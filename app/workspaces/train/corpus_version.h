// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>

namespace headroom::app {

/// What tells a corpus that was changed from what was read of it: of its documents and tables, and of the folder itself. A value.
struct CorpusVersion {
    std::filesystem::file_time_type newest = std::filesystem::file_time_type::min();
    std::uintmax_t files = 0, bytes = 0;
    bool operator==(const CorpusVersion&) const = default;
};
CorpusVersion versionOfCorpus(const std::filesystem::path& corpus); ///< blocks

} // namespace headroom::app
