// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/full.h"

#include "models/kernels/full_attention.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/ones.h>
#include <ATen/ops/scaled_dot_product_attention.h>
#include <ATen/ops/softmax.h>

#include <limits>
#include <optional>

namespace headroom::models {

at::Tensor maskedSoftmax(at::Tensor scores, const at::Tensor& hidden) {
    if (!scores.requires_grad() && !hidden.defined()) // rows in their place: a map less to write
        return at::softmax_out(scores, scores, -1);
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

at::Tensor fusedAttention(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                          const FusedKeys& seen) {
    const auto mix = [&] {
        if (!seen.hidden.defined() && !seen.causal && attendsHere(queries, keys, values))
            return fullAttention(queries, keys, values, {});
        std::optional<at::Tensor> visible;
        if (seen.hidden.defined() && !seen.causal)
            visible = seen.hidden.logical_not();
        return at::scaled_dot_product_attention(queries, keys, values, visible, /*dropout_p=*/0.0, seen.causal,
                                                /*scale=*/1.0);
    };
    const at::Tensor mixed = mix();
    if (seen.gamma == 0)
        return mixed;
    const at::Tensor kept = mixed.mul(1 - seen.gamma);
    if (!seen.spared.defined())
        return kept.add(values.mean(2, true), seen.gamma);
    const at::Tensor counted = seen.spared.logical_not().to(values.scalar_type()); // [batch, 1, 1, key]
    return kept.add(at::matmul(counted, values).div(counted.sum(-1, true).clamp_min(1)), seen.gamma);
}

at::Tensor hiddenFuture(std::int64_t queries, std::int64_t keys) {
    return at::ones({queries, keys}, at::kBool).triu(keys - queries + 1); // [query, key]
}

at::Tensor hiddenFuture(std::int64_t queries, std::int64_t keys, std::int64_t reach) {
    return hiddenFuture(queries, keys)
        .logical_or(at::ones({queries, keys}, at::kBool).tril(keys - queries - reach - 1));
}

} // namespace headroom::models
