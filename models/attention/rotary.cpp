// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/rotary.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/stack.h>

#include <cmath>

namespace headroom::models {

at::Tensor rotaryPositions(std::int64_t first, std::int64_t count, std::int64_t width) {
    at::Tensor table = at::empty({2, count, width}, at::kDouble);
    auto* cosines = table.mutable_data_ptr<double>();
    double* sines = cosines + count * width;
    for (std::int64_t token = 0; token < count; ++token)
        for (std::int64_t k = 0; k < width; ++k) {
            const double frequency =
                std::pow(10000.0, -2.0 * static_cast<double>(k / 2) / static_cast<double>(width));
            const double angle = static_cast<double>(first + token) * frequency;
            *cosines++ = std::cos(angle);
            *sines++ = std::sin(angle);
        }
    return table;
}

at::Tensor rotated(const at::Tensor& x, const at::Tensor& table) {
    std::vector<std::int64_t> pairs = x.sizes().vec();
    pairs.back() /= 2;
    pairs.push_back(2);
    const at::Tensor split = x.reshape(pairs);
    const at::Tensor turned =
        at::stack({split.select(-1, 1).neg(), split.select(-1, 0)}, -1).reshape(x.sizes()); // (−x₁, x₀)
    return x.mul(table.select(0, 0)).add(turned.mul(table.select(0, 1)));
}

} // namespace headroom::models
