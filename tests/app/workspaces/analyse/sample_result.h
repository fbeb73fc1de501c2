// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"

#include <memory>
#include <optional>

namespace headroom::testing {

/// An analysis of one layer with these contributions: a token every 40 ms, the first centred 12.5 ms after `offset`.
inline app::AnalysisResult sampleResult(const Matrix<float>& map, std::optional<app::Part> part = {}, Seconds offset = Seconds(0)) {
    app::AnalysisResult result;
    result.tokens = Tokens(std::int64_t(map.rows()));
    result.clock = TokenClock::affine(Seconds(0.0125) + offset, Seconds(0.04));
    result.part = part;
    result.layers.resize(1);
    result.layers[0].layer = 1;
    result.layers[0].contributions = std::make_shared<const MaxPyramid>(map);
    return result;
}

} // namespace headroom::testing
