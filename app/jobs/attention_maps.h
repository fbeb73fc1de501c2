// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "core/architecture/architecture.h"

#include <memory>
#include <vector>

namespace headroom::app {

/// The heads of one layer as they came from the worker: per head [N, N], or [N, N′] where a convolution
/// shortened the keys. `raw`: before relaxation, empty for heads that are not relaxed. A value.
struct ReceivedHeads {
    std::vector<Matrix<float>> applied, raw;
};

/// The mean over the heads, at least one, all of one size. Pure.
Matrix<float> meanOfHeads(const std::vector<Matrix<float>>& heads);

/// Every head on the tokens' axis. A compressed key is drawn over the tokens that are nearest to the middle
/// of those it was made of, with its own weight; the mean of the heads shares that weight among these tokens,
/// so that its rows sum to 1. `layer` says which heads are which; without it, or where it says otherwise than
/// the maps, throws Error "worker.badAnswer". Pure.
std::shared_ptr<const AttentionMaps> attentionMaps(ReceivedHeads heads, std::int64_t tokens,
                                                   const Architecture::Layer* layer);

} // namespace headroom::app
