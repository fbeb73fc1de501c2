// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/start_from.h"

#include <filesystem>
#include <optional>

namespace headroom {

/// What decides how the checkpoints of a run write texts, with the paths of this machine: the model that the run exported, else what
/// the run began with. A value.
struct RunText {
    std::optional<std::filesystem::path> result; ///< the model; it has the vocabulary that the run was trained with
    std::optional<std::filesystem::path> kept;   ///< else: the run's copies of its tokenizer (RunPaths::tokenizer)
    std::optional<StartFrom> startFrom;          ///< else: what the run's weights come from
    std::filesystem::path data;                  ///< and its corpus
    /// Returns the model, the copies, or the corpus, whose vocabulary it is: who starts from an encoder alone writes as the corpus does.
    const std::filesystem::path& vocabulary() const;
};
/// Throws what readRun() and readRunPlace() throw.
RunText textOfRun(const std::filesystem::path& run);

} // namespace headroom
