// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/parts/checks_panel.h"
#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"

#include <cstdint>
#include <optional>

namespace headroom::app {

/// The room that the runs of a recipe take on the disk of this machine, at most.
struct DiskNeed {
    std::int64_t runs = 1;
    std::int64_t newest = 1;      ///< checkpoints of each run that stay, besides the best if it is older than these
    std::int64_t checkpoints = 1; ///< checkpoints of each run that stay, with the best
    bool oneMore = false;         ///< a checkpoint is written before the one that it replaces is removed
    double checkpointBytes = 0;   ///< weights and Adam's two moments in fp32
    double modelBytes = 0;        ///< of the model that a run ends with

    /// The runs are trained in sequence, so only one of them writes.
    double bytes() const {
        return static_cast<double>(runs) * (static_cast<double>(checkpoints) * checkpointBytes + modelBytes) +
               (oneMore ? checkpointBytes : 0);
    }
};

/// `isCopied`: the runs are elsewhere, and only their last and their best checkpoint are copied here. Throws Error where the parameters
/// cannot be counted.
DiskNeed diskNeed(const Architecture& architecture, const Recipe& recipe, std::int64_t runs, bool isCopied);

/// A line of “Checked before the start”. Null: not known. `free`: bytes.
Check diskCheck(const std::optional<DiskNeed>& need, const std::optional<double>& free);

} // namespace headroom::app
