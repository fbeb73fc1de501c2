// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/local.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/tensor.h>

#include <algorithm>

namespace headroom::models {

at::Tensor hiddenOutsideWindows(const std::vector<int>& windows, std::int64_t tokens) {
    std::vector<std::int64_t> reach;
    for (const int window : windows)
        reach.push_back(window == 0 ? tokens : window / 2);
    if (std::all_of(reach.begin(), reach.end(), [&](std::int64_t r) { return r >= tokens - 1; }))
        return {};
    if (std::all_of(reach.begin(), reach.end(), [&](std::int64_t r) { return r == reach.front(); }))
        reach.resize(1);
    const at::Tensor place = at::arange(tokens, at::kLong);
    const at::Tensor distance = place.unsqueeze(0).sub(place.unsqueeze(1)).abs_(); // [query, key]
    return distance.unsqueeze(0).gt(
        at::tensor(reach, at::kLong).unsqueeze(1).unsqueeze(2)); // [head, query, key]
}

} // namespace headroom::models
