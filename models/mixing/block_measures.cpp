// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/mixing/block_measures.h"

#include "models/contributions/cut_to_recording.h"
#include "models/kernels/contributions.h"

#include <ATen/ops/bmm.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/eye.h>
#include <ATen/ops/mm.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

namespace headroom::models {

at::Tensor& normaliseRows(at::Tensor& map) {
    const at::Tensor sums = map.sum(-1, true);
    return map.div_(sums.masked_fill(sums.eq(0), 1));
}

namespace {

template <class Shown>
at::Tensor meanOfHeads(const std::vector<GroupStep>& groups, const Shown& shown) {
    at::Tensor sum;
    std::int64_t heads = 0;
    for (const GroupStep& group : groups) {
        const at::Tensor map = shown(denseMap(group.applied)); // [head, query, key]
        heads += map.size(0);
        sum = sum.defined() ? sum.add_(map.sum(0)) : map.sum(0);
    }
    sum.div_(static_cast<double>(heads));
    return normaliseRows(sum); // smoothed heads have rows of other sums
}

} // namespace

at::Tensor meanAttention(const std::vector<GroupStep>& groups) {
    return meanOfHeads(groups, [](const at::Tensor& map) { return map; });
}

at::Tensor meanAttentionOfRecording(const std::vector<GroupStep>& groups, std::int64_t rows, std::int64_t columns) {
    return meanOfHeads(groups, [&](const at::Tensor& map) { return cutMaps(map, rows, columns); });
}

at::Tensor attentionNorm(const BlockTerms& terms) {
    const std::int64_t queries = terms.maps.size(1), keys = terms.maps.size(2);
    at::Tensor map = at::empty({queries, keys}, terms.maps.options());
    at::Tensor profile = at::empty({2 * keys - 1}, terms.maps.options().dtype(at::kDouble));
    const auto transformedOf = terms.transforming();
    contributions(terms.maps, transformedOf, at::zeros_like(terms.residual), terms.reach, map, profile);
    return map;
}

at::Tensor crossAttentionNorm(const BlockTerms& terms) {
    const std::int64_t queries = terms.maps.size(1), keys = terms.maps.size(2);
    at::Tensor map = at::empty({queries, keys + 1}, terms.maps.options());
    const auto transformedOf = terms.transforming();
    contributionsWithResidualColumn(terms.maps, transformedOf, at::zeros_like(terms.residual), map);
    return map.narrow(1, 0, keys).contiguous(); // the column of no residual is 0
}

at::Tensor alti(const BlockWeights& block, const BlockTerms& terms, const at::Tensor& output,
                const CancelFlag* cancel) {
    constexpr std::int64_t kChunk = 1'000'000; // numbers of T that exist at a time: a piece that caches hold
    at::Tensor u = terms.transformed(), x = terms.residual, y = output;
    if (block.after.defined()) {
        u = centredAndScaled(u, block.after);
        x = centredAndScaled(x, block.after);
        const at::Tensor sigma = y.var(-1, false, true).add_(block.after.epsilon).sqrt_(); // [query, 1]
        y = centredAndScaled(y, block.after).add_(sigma.mul(block.after.bias)); // σ_i LN(y_i)
    }
    const std::int64_t queries = terms.maps.size(1), keys = terms.maps.size(2), width = y.size(1);
    const std::int64_t step = std::clamp<std::int64_t>(kChunk / (queries * width), 1, keys);
    const at::Tensor whole = y.abs().sum(-1); // ‖y_i‖₁, [query]
    const bool cross = block.source.defined();
    at::Tensor map = at::empty({queries, cross ? keys + 1 : keys}, y.options());
    if (cross)
        map.select(1, keys).copy_(whole.sub(x.sub(y).abs_().sum(-1)));
    for (std::int64_t first = 0; first < keys; first += step) {
        if (cancel && cancel->load(std::memory_order_relaxed))
            throw Cancelled();
        const std::int64_t count = std::min(step, keys - first);
        at::Tensor t = at::bmm(terms.maps.narrow(2, first, count).permute({2, 1, 0}), // [key, query, head]
                               u.narrow(1, first, count).transpose(0, 1)); // [key, head, width]
        for (std::int64_t key = 0; !cross && key < count; ++key)
            t.select(0, key).select(0, first + key).add_(x.select(0, first + key));
        map.narrow(1, first, count).copy_(whole.unsqueeze(1).sub(t.sub_(y).abs_().sum(-1).t()));
    }
    map.clamp_min_(0);
    return normaliseRows(map);
}

at::Tensor rolledOut(const at::Tensor& map, const at::Tensor& before, bool hasResidual) {
    at::Tensor own = map;
    if (!hasResidual)
        own = map.add(at::eye(map.size(0), map.options())).mul_(0.5);
    return before.defined() ? at::mm(own, before) : own;
}

} // namespace headroom::models
