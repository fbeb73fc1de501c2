// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/shared_data.h"

#include <filesystem>
#include <utility>
#include <vector>

namespace headroom::testing {

/// Golden results in the repository. Made by tests/golden/make.py.
inline std::filesystem::path repositoryGoldens() {
    return std::filesystem::path(HEADROOM_SOURCE_DIR) / "tests" / "data";
}

/// The folders of golden results, all laid out alike, with their names in test rows: "repository" always, "shared"
/// where sharedData() exists.
inline std::vector<std::pair<const char*, std::filesystem::path>> goldenFolders() {
    std::vector<std::pair<const char*, std::filesystem::path>> folders{{"repository", repositoryGoldens()}};
    if (!sharedData().empty())
        folders.emplace_back("shared", sharedData());
    return folders;
}

} // namespace headroom::testing
