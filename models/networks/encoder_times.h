// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <numeric>
#include <vector>

namespace headroom::models {

/// Times of one pass through the encoder, in seconds of a steady clock. A self-attention block turns x into x
/// + MHA(LN x): its norm, projections, maps, the mixing of the values and the residual.
struct EncoderTimes {
    double frontEnd = 0;           ///< convolutions, positions
    std::vector<double> attention; ///< the self-attention block of each layer
    std::vector<double> layers;    ///< each whole layer
    double total = 0;              ///< the whole pass, including the last LayerNorm
    double attentionTotal() const { return std::accumulate(attention.begin(), attention.end(), 0.0); }
    double rest() const { return total - attentionTotal(); }
};

} // namespace headroom::models
