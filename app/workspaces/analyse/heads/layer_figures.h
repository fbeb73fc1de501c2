// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/analysis.h"
#include "core/analysis/attention_statistics.h"
#include "core/analysis/phone_attention.h"

#include <vector>

namespace headroom::app {

/// What the attention of one head says; kilobytes, where the map had megabytes.
struct HeadFigures {
    /// Of the map as it came. Over compressed keys: entropy, maximum and silence over these keys, no
    /// distance.
    AttentionStatistics statistics{NAN, NAN, NAN, NAN};
    /// CAD without silence; NaN where no phones are known, and where no row has weight on speech.
    double spokenCad = NAN;
    std::vector<double> spokenCurve; ///< its D(r); empty as above
    Matrix<double> par;              ///< [36, 36]; empty as above, and over compressed keys
    bool compressed = false;         ///< keys are fewer than tokens: no N × N map
};

struct LayerFigures {
    std::vector<HeadFigures> heads;
};

/// From the maps of one layer as applied. `phones`: one class per token (tokenPhones); empty: not known.
/// Pure; any thread.
LayerFigures layerFigures(const AttentionMaps& maps, std::span<const int> phones);

/// A pair of tokens and its weight.
struct TokenPair {
    std::int64_t query = 0, key = 0;
    double weight = 0;    ///< of the renormalised row
    double ofUniform = 0; ///< as a multiple of 1/T
    bool operator==(const TokenPair&) const = default;
};
/// The strongest pairs of one cell of PAR in one map (the mean of the heads included), strongest first: query
/// said as `attending`, key as `attended`, never in one run. Pure.
std::vector<TokenPair> strongestPairs(const Matrix<float>& map, const SpokenTokens& spoken, int attending,
                                      int attended, std::size_t most = 24);

/// Mean over maps, cell by cell over those that define it; empty for none.
Matrix<double> meanPhoneAttention(std::span<const Matrix<double>* const> maps);

} // namespace headroom::app
