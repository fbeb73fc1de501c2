// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/checkpoint_name.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/runs/run_folder.h"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kCheckpointEnding = ".safetensors";

bool isWhich(const std::string& word) {
    return word == "best" || word == "last" ||
           (!word.empty() && word.size() <= 18 && word.find_first_not_of("0123456789") == std::string::npos);
}

} // namespace

std::optional<std::int64_t> updateOfCheckpoint(const std::string& stem) {
    if (!stem.starts_with("step-") && !stem.starts_with("stop-"))
        return std::nullopt;
    std::int64_t update = 0;
    const char* end = stem.data() + stem.size();
    const auto [at, problem] = std::from_chars(stem.data() + 5, end, update);
    return problem == std::errc() && at == end && stem.size() > 5 ? std::optional(update) : std::nullopt;
}

std::string CheckpointName::text() const {
    return run.string() + "@" + which;
}

fs::path CheckpointName::file() const {
    const fs::path folder = RunPaths{run}.checkpoints();
    std::error_code missing;
    if (which == "best" || which == "last") {
        if (const fs::path found = fs::canonical(folder / (which + std::string(kCheckpointEnding)), missing); !missing)
            return found;
    } else {
        for (const auto& entry : fs::directory_iterator(folder, missing))
            if (entry.path().extension() == kCheckpointEnding && updateOfCheckpoint(entry.path().stem().string()) == std::stoll(which))
                return entry.path();
    }
    std::string updates;
    for (const std::int64_t update : checkpointUpdates(run))
        updates += (updates.empty() ? "" : ", ") + std::to_string(update);
    throw Error("train.noCheckpoint",
                "The run " + displayName(run) + " has no checkpoint “" + which + "”. It has " +
                    (updates.empty() ? "none" : "those of updates " + updates) + ".",
                {{"run", run.string()}, {"checkpoint", which}});
}

std::optional<CheckpointName> checkpointNamed(const fs::path& text) {
    std::error_code ignored;
    if (text.extension() == kCheckpointEnding && text.parent_path().filename() == "checkpoints") {
        const std::string stem = text.stem().string();
        const auto update = updateOfCheckpoint(stem);
        const fs::path run = text.parent_path().parent_path();
        if (update || stem == "best" || stem == "last")
            return CheckpointName{run.empty() ? fs::path(".") : run, update ? std::to_string(*update) : stem};
        return std::nullopt;
    }
    const std::string whole = text.string();
    const auto at = whole.rfind('@');
    if (at == std::string::npos || at == 0 || !isWhich(whole.substr(at + 1)) || fs::exists(text, ignored))
        return std::nullopt;
    return CheckpointName{whole.substr(0, at), whole.substr(at + 1)};
}

std::vector<std::int64_t> checkpointUpdates(const fs::path& run) {
    std::set<std::int64_t> updates;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(RunPaths{run}.checkpoints(), ignored))
        if (const auto update = updateOfCheckpoint(entry.path().stem().string()); update && entry.path().extension() == kCheckpointEnding)
            updates.insert(*update);
    return {updates.begin(), updates.end()};
}

} // namespace headroom
