// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/full.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/softmax.h>

#include <algorithm>
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

at::Tensor hiddenPadding(const std::vector<std::int64_t>& lengths, std::int64_t tokens) {
    const bool none = // also where no lengths are given
        std::all_of(lengths.begin(), lengths.end(), [&](std::int64_t n) { return n == tokens; });
    if (none)
        return {};
    const auto batch = static_cast<std::int64_t>(lengths.size());
    auto* data = const_cast<std::int64_t*>(lengths.data()); // from_blob has no const form; it is only read
    const at::Tensor valid = at::from_blob(data, {batch, 1, 1, 1}, at::kLong);
    return at::arange(tokens, at::kLong).ge(valid); // [batch, 1, 1, key]
}

at::Tensor hiddenFuture(std::int64_t queries, std::int64_t keys) {
    return at::ones({queries, keys}, at::kBool).triu(keys - queries + 1); // [query, key]
}

} // namespace headroom::models
