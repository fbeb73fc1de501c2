// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/full.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>

#include <limits>

namespace headroom::models {

at::Tensor maskedSoftmax(at::Tensor scores, const at::Tensor& hidden) {
    if (!hidden.defined())
        return at::softmax(scores, -1);
    if (scores.requires_grad()) {
        // Finite, so that a row without a visible key (a padded query, which nothing reads) has a gradient,
        // zero, without a second pass: exp underflows to 0 wherever a key is visible.
        constexpr double kOutOfSight = -1e30;
        return at::softmax(scores.masked_fill_(hidden, kOutOfSight), -1);
    }
    scores.masked_fill_(hidden, -std::numeric_limits<float>::infinity());
    // The second fill turns the NaN of a row without a visible key into zeros.
    return at::softmax(scores, -1).masked_fill_(hidden, 0);
}

at::Tensor hiddenFuture(std::int64_t queries, std::int64_t keys) {
    return at::ones({queries, keys}, at::kBool).triu(keys - queries + 1); // [query, key]
}

} // namespace headroom::models
