// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <filesystem>
#include <optional>
#include <string>

namespace headroom {

inline constexpr const char* kExperimentRunFormat = "headroom/experiment-run";

/// How the experiment in a folder was begun. A value.
struct ExperimentRecord {
    std::string name;
    std::filesystem::path data; ///< empty: it needs no corpora
    int seeds = 1;
    double scale = 1;
    nlohmann::json document; ///< experiment.json, whole
};

/// Reads experiment.json of an experiment's folder; `nullopt` where there is none. Throws Error
/// "experiment.badJson", and "experiment.newer" for one of a later version. Blocks on the disk.
std::optional<ExperimentRecord> readExperimentRecord(const std::filesystem::path& folder);

} // namespace headroom
