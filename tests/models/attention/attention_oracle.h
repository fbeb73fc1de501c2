// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/attention_block.h"

#include <ATen/core/Tensor.h>

#include <string>
#include <vector>

namespace headroom::testing {

/// The attention blocks of a few encoder layers with random weights in double, one behind the other.
class MadeAttention {
public:
    struct Options {
        Positions positions = Positions::Sinusoidal;
        NormPlace norm = NormPlace::Pre;
        int width = 24;
        bool bias = true;
        unsigned long seed = 1;
    };
    MadeAttention(const std::vector<std::string>& layers, const Options& options);
    explicit MadeAttention(const std::vector<std::string>& layers) : MadeAttention(layers, Options()) {}

    /// The blocks under test on a batch [batch, token, width].
    at::Tensor run(const at::Tensor& x, models::AttentionContext& context,
                   const models::AttentionObserver& observe = {}, const models::Dropout& dropout = {}) const;
    /// The same on one recording [token, width] from the definitions: every head written out as an N × N map
    /// of plain operations (a convolution as sums over its taps), without the code under test.
    at::Tensor oracle(const at::Tensor& x, bool training = false) const;

    models::Parameters parameters; ///< float64; run() and oracle() read these
    std::vector<models::AttentionPlan> plans;
};

/// Whether a query at i sees a key at j among `tokens`.
bool sees(const HeadGroup& kind, std::int64_t i, std::int64_t j, std::int64_t tokens);

at::Tensor randomNumbers(at::IntArrayRef shape, unsigned long seed); ///< normal, float64

} // namespace headroom::testing
