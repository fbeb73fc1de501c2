// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/positions.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom::models {

at::Tensor sinusoidalPositions(const std::vector<std::int64_t>& positions, std::int64_t width) {
    const std::int64_t half = width / 2;
    const auto step = static_cast<float>(std::log(10000.0) / static_cast<double>(half - 1));
    at::Tensor table = at::zeros({static_cast<std::int64_t>(positions.size()), width}, at::kFloat);
    auto* row = table.mutable_data_ptr<float>();
    for (std::size_t i = 0; i < positions.size(); ++i, row += width) {
        if (i > 0 && positions[i] == positions[i - 1]) { // texts side by side are at one place
            std::copy_n(row - width, width, row);
            continue;
        }
        if (positions[i] == kPaddingIndex)
            continue;
        for (std::int64_t k = 0; k < half; ++k) {
            const float angle = static_cast<float>(positions[i]) * std::exp(static_cast<float>(k) * -step);
            row[k] = std::sin(angle);
            row[half + k] = std::cos(angle);
        }
    }
    return table;
}

at::Tensor sinusoidalPositions(std::int64_t first, std::int64_t count, std::int64_t width) {
    std::vector<std::int64_t> positions(static_cast<std::size_t>(count));
    std::iota(positions.begin(), positions.end(), first);
    return sinusoidalPositions(positions, width);
}

at::Tensor interleavedPositions(std::int64_t count, std::int64_t width) {
    const float step = -std::log(10000.0F) / static_cast<float>(width);
    at::Tensor table = at::zeros({count, width}, at::kFloat);
    auto* row = table.mutable_data_ptr<float>();
    for (std::int64_t place = 0; place < count; ++place, row += width)
        for (std::int64_t k = 0; k + 1 < width; k += 2) {
            const float angle = static_cast<float>(place) * std::exp(static_cast<float>(k) * step);
            row[k] = std::sin(angle);
            row[k + 1] = std::cos(angle);
        }
    return table;
}

} // namespace headroom::models
