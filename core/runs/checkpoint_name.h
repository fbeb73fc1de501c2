// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// A checkpoint of a run, as `--start-from` names it.
struct CheckpointName {
    std::filesystem::path run;
    std::string which; ///< "best", "last", or the update, as "500"
    /// RUN@WHICH, without ":encoder".
    std::string text() const;
    /// The file, and where a link as "best" leads. Throws Error "train.noCheckpoint" if it is not there, with the updates that are.
    std::filesystem::path file() const;
    bool operator==(const CheckpointName&) const = default;
};

/// Reads RUN@500, RUN@best, RUN@last, or RUN/checkpoints/step-000500.safetensors. `nullopt` for anything else, and for a folder whose
/// name has an @.
std::optional<CheckpointName> checkpointNamed(const std::filesystem::path& text);

/// The number of "step-000500" or "stop-000512", as the file of a checkpoint is called; `nullopt` for another name.
std::optional<std::int64_t> updateOfCheckpoint(const std::string& stem);

/// The updates of which a run has checkpoints, ascending; those of stops too.
std::vector<std::int64_t> checkpointUpdates(const std::filesystem::path& run);

} // namespace headroom
