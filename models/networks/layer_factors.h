// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace headroom::models {

/// What one pass of training makes of its layers (layer drop, stochastic depth): x + factor · (layer(x) − x). A layer with
/// factor 0 is not computed; with factor 1 it is the layer itself, bit for bit.
struct LayerFactors {
    std::vector<double> encoder, decoder; ///< one for each layer; those of a language model are `decoder`'s

    static double of(const std::vector<double>& factors, std::size_t layer) {
        return factors.empty() ? 1 : factors.at(layer);
    }
};

} // namespace headroom::models
