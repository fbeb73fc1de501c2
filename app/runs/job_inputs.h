// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/jobs.h"

namespace headroom::app {

/// The copies that a job keeps of what it trains.
inline std::filesystem::path architectureInput(const std::filesystem::path& runs, const std::filesystem::path& run) {
    return jobInputs(runs) / (run.filename().string() + ".architecture.json");
}
inline std::filesystem::path recipeInput(const std::filesystem::path& runs, const std::filesystem::path& run) {
    return jobInputs(runs) / (run.filename().string() + ".recipe.json");
}

} // namespace headroom::app
