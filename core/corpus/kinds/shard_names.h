// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

bool isParquet(const std::filesystem::path& file);
/// What the library datasets keeps for itself beside a data set has names that begin otherwise.
bool isArrow(const std::filesystem::path& file);

/// “train-00000-of-00014” is of “train”; a shard that is only a number has the name of its folder. A folder of a configuration
/// comes first: “clean/train.100-00000-of-00014” is of “clean-train.100”.
std::string splitOfShard(const std::filesystem::path& shard, const std::filesystem::path& folder);

/// The parts of a split that are not there.
struct MissingShards {
    std::string split;
    std::filesystem::path first;    ///< the first that is missing
    std::size_t missing = 0, of = 0;
};

/// Compares the numbers of “NAME-00000-of-00014” with 14 for each name, and the files that “state.json” of a data set saved as Arrow
/// names with those that are there. Blocks.
std::vector<MissingShards> missingShards(const std::vector<std::filesystem::path>& shards, const std::filesystem::path& folder);

} // namespace headroom
