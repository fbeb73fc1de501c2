// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/attention/multi_head.h"
#include "models/kernels/banded.h"

#include <ATen/ops/cat.h>

namespace headroom::testing {

/// The maps of all heads of a step as applied, [batch, head, query, key]. No head may compress its keys.
inline at::Tensor mapsOfAllHeads(const models::AttentionStep& step) {
    std::vector<at::Tensor> maps;
    for (const models::GroupStep& group : step.groups)
        maps.push_back(group.applied.form == models::AttentionMap::Form::Band
                           ? models::bandedToDense(group.applied.weights, group.applied.reach)
                           : group.applied.weights);
    return at::cat(maps, 1);
}

/// v of all heads, [batch, head, key, valueWidth].
inline at::Tensor valuesOfAllHeads(const models::AttentionStep& step) {
    std::vector<at::Tensor> values;
    for (const models::GroupStep& group : step.groups)
        values.push_back(group.values);
    return at::cat(values, 1);
}

} // namespace headroom::testing
