// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/run_place.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"

#include <cstdint>
#include <filesystem>
#include <sstream>
#include <string>

namespace headroom::testing {

inline std::string wholeText(const std::filesystem::path& file) {
    std::error_code ignored;
    return std::filesystem::exists(file, ignored) ? readSmallFile(file, "test") : "missing: " + file.string();
}

/// The steps in a run's events; 0 where there are none yet.
inline std::int64_t stepsIn(const std::filesystem::path& run) {
    std::int64_t steps = 0;
    std::istringstream lines(wholeText(RunPaths{run}.events()));
    for (std::string line; std::getline(lines, line);)
        steps += line.find("\"event\":\"step\"") != std::string::npos;
    return steps;
}

inline RunPlace::Contact contactOf(const std::filesystem::path& run) {
    const auto place = readRunPlace(run);
    return place ? place->contact : RunPlace::Contact::Copying;
}

/// Names the first file of a run that is not here as it is there, or a part that is left over. Empty: none.
inline std::string firstDifference(const std::filesystem::path& here, const std::filesystem::path& there,
                                   bool finished) {
    namespace fs = std::filesystem;
    for (const char* name : {"run.json", "events.jsonl", "architecture.json", "recipe.json", "log.txt"})
        if (wholeText(here / name) != wholeText(there / name))
            return name;
    for (const char* name : {"last.safetensors", "best.safetensors"}) {
        const fs::path link = fs::path("checkpoints") / name;
        if (fs::is_symlink(here / link) != fs::is_symlink(there / link) ||
            (fs::is_symlink(there / link) && wholeText(here / link) != wholeText(there / link)))
            return link.string();
    }
    if (finished)
        for (const auto& entry : fs::directory_iterator(there / "model"))
            if (wholeText(here / "model" / entry.path().filename()) != wholeText(entry.path()))
                return entry.path().string();
    for (const auto& entry : fs::recursive_directory_iterator(here))
        if (entry.path().extension() == ".part")
            return entry.path().string();
    return {};
}

} // namespace headroom::testing
