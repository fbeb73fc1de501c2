// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/parameters.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace headroom::training {

/// Adds noise N(0, `deviation`²) to everything that learns, for the lifetime of the object; then the values
/// are the same bits again (variational noise, Graves 2011). The noise follows from (seed, update, pass),
/// whatever the number of ranks and threads, and the device. Holds a copy of the weights. Does nothing if `deviation` is 0.
class WeightNoise {
public:
    WeightNoise(const models::Parameters& parameters, double deviation, std::uint64_t seed,
                std::int64_t update, std::int64_t pass);
    ~WeightNoise();
    WeightNoise(const WeightNoise&) = delete;
    WeightNoise& operator=(const WeightNoise&) = delete;

private:
    std::vector<std::pair<at::Tensor, at::Tensor>> m_kept; ///< a parameter and its values
};

} // namespace headroom::training
