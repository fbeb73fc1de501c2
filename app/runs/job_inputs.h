// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/paths.h"
#include "core/runs/jobs.h"

namespace headroom::app {

/// The copies that a job keeps of what it trains.
inline std::filesystem::path architectureInput(const std::filesystem::path& runs, const std::filesystem::path& run) {
    return jobInputs(runs) / (run.filename().string() + ".architecture.json");
}
inline std::filesystem::path recipeInput(const std::filesystem::path& runs, const std::filesystem::path& run) {
    return jobInputs(runs) / (run.filename().string() + ".recipe.json");
}

/// The folder of a new run. The same name twice in a minute gets a number.
inline std::filesystem::path freeRunFolder(const std::filesystem::path& runs, const QString& name) {
    std::error_code ignored;
    for (int copy = 1;; ++copy) {
        const std::filesystem::path folder = runs / toPath(copy == 1 ? name : name + QStringLiteral("_%1").arg(copy));
        if (!std::filesystem::exists(folder, ignored) && !std::filesystem::exists(recipeInput(runs, folder), ignored))
            return folder;
    }
}

} // namespace headroom::app
