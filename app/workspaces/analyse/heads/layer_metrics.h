// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "core/analysis/head_metrics.h"

#include <vector>

namespace headroom::app {

/// The metrics of one head of the current utterance; kilobytes, where its map has megabytes. CAD is that of
/// speech if the phones are known, else of the whole map (core/analysis/head_metrics.h).
struct LiveHeadMetrics : HeadMetrics {
    Matrix<double> par;      ///< [36, 36]; empty if no phones are known, and over compressed keys
    bool compressed = false; ///< fewer keys than tokens: no N × N map
};

struct LayerMetrics {
    std::vector<LiveHeadMetrics> heads;
};

/// From the maps of one layer as applied. `phones`: one class per token (tokenPhones); empty: not known.
/// Pure; thread-safe.
LayerMetrics layerMetrics(const AttentionMaps& maps, std::span<const int> phones);

} // namespace headroom::app
