// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/positions.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <cmath>
#include <numeric>

namespace headroom::models {

at::Tensor sinusoidalPositions(const std::vector<std::int64_t>& positions, std::int64_t width) {
    const std::int64_t half = width / 2;
    const auto step = static_cast<float>(std::log(10000.0) / static_cast<double>(half - 1));
    at::Tensor table = at::zeros({static_cast<std::int64_t>(positions.size()), width}, at::kFloat);
    auto* row = table.mutable_data_ptr<float>();
    for (const std::int64_t position : positions) {
        if (position != kPaddingIndex) {
            for (std::int64_t k = 0; k < half; ++k) {
                const float angle = static_cast<float>(position) * std::exp(static_cast<float>(k) * -step);
                row[k] = std::sin(angle);
                row[half + k] = std::cos(angle);
            }
        }
        row += width;
    }
    return table;
}

at::Tensor sinusoidalPositions(std::int64_t first, std::int64_t count, std::int64_t width) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(count));
    std::iota(positions.begin(), positions.end(), first);
    return sinusoidalPositions(positions, width);
}

} // namespace headroom::models
