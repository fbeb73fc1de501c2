// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdlib>
#include <filesystem>

namespace headroom::testing {

/// The folder of recordings and golden results that lies beside the project, not in it:
/// $HEADROOM_SHARED_DATA, else
/// ../shared/data. Empty where there is none; a test that needs it then skips with kNoSharedData.
inline std::filesystem::path sharedData() {
    if (const char* set = std::getenv("HEADROOM_SHARED_DATA"))
        return std::filesystem::is_directory(set) ? std::filesystem::path(set) : std::filesystem::path();
    const auto beside = std::filesystem::path(HEADROOM_SOURCE_DIR).parent_path() / "shared" / "data";
    return std::filesystem::is_directory(beside) ? beside : std::filesystem::path();
}

inline constexpr const char* kNoSharedData =
    "the recordings and golden results (HEADROOM_SHARED_DATA) are not here";

} // namespace headroom::testing
