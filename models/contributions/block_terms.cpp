// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/block_terms.h"

#include "models/kernels/contributions.h"
#include "models/kernels/head_products.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <memory>

namespace headroom::models {
namespace {

/// A^h_{i, m_r(j)}, zero where there is no such compressed key: [head, query, key].
at::Tensor mapOfTap(const at::Tensor& map, const GroupStep& group, std::int64_t r, std::int64_t keys) {
    const at::Tensor place =
        at::arange(keys, map.options().dtype(at::kLong)).add_(group.padding).div_(group.stride, "floor").sub_(r); // [key]
    const at::Tensor outside = place.lt(0).logical_or_(place.ge(map.size(2)));
    return map.index_select(2, place.clamp(0, map.size(2) - 1)).masked_fill_(outside, 0);
}

/// W_t v_j with the tap t by which key j reaches m_r(j): [head, key, valueWidth].
at::Tensor tappedValues(const at::Tensor& values, const GroupStep& group, std::int64_t r) {
    const std::int64_t keys = values.size(1), taps = group.valueTaps.size(0), stride = group.stride;
    at::Tensor result = at::zeros_like(values);
    for (std::int64_t phase = 0; phase < stride; ++phase) { // of j + padding
        const std::int64_t tap = phase + stride * r;
        const std::int64_t first = ((phase - group.padding) % stride + stride) % stride;
        if (tap >= taps || first >= keys)
            continue;
        const at::Tensor& weight = group.valueTaps[tap];
        const at::Tensor part = values.slice(1, first, keys, stride); // [head, some keys, valueWidth]
        result.slice(1, first, keys, stride)
            .copy_(weight.dim() == 1 ? part.mul(weight) : at::matmul(part, weight.t()));
    }
    return result;
}

std::int64_t reachOfGroup(const GroupStep& group, std::int64_t tokens) {
    std::int64_t reach = tokens;
    if (group.applied.form == AttentionMap::Form::Band)
        reach = group.applied.reach;
    else if (group.kind.kind == HeadKind::Local ||
             (group.kind.kind == HeadKind::Masked && group.kind.window > 0))
        reach = group.kind.window / 2;
    else if (group.kind.kind ==
             HeadKind::LocalBlock) // the last token of a block sees the first of the one before
        reach = 2 * std::max(group.kind.window / 3, 1) - 1;
    return std::min(reach, tokens);
}

/// Appends the group's parts; its maps are written into `maps`, [virtualHead, query, key], or lent if that is undefined and
/// they are over tokens.
void appendGroup(const BlockWeights& block, const GroupStep& group, const at::Tensor& maps, BlockTerms& terms) {
    const at::Tensor map = denseMap(group.applied);    // [head, query, key or compressedKey]
    const at::Tensor values = group.values.squeeze(0); // [head, key, valueWidth]
    const at::Tensor weight = outputWeightOf(block, group);
    const std::int64_t heads = values.size(0), keys = values.size(1);
    terms.reach = std::max(terms.reach, reachOfGroup(group, keys));
    if (!group.valueTaps.defined()) {
        if (maps.defined())
            maps.copy_(map);
        else
            terms.maps = map.contiguous();
        terms.parts.push_back({values, weight});
        return;
    }
    const std::int64_t count = virtualHeads(group);
    const at::Tensor written = maps.defined() ? maps : at::empty({count, map.size(1), keys}, map.options());
    for (std::int64_t r = 0; r < count / heads; ++r) {
        written.narrow(0, r * heads, heads).copy_(mapOfTap(map, group, r, keys));
        terms.parts.push_back({tappedValues(values, group, r), weight});
    }
    if (!maps.defined())
        terms.maps = written;
}

} // namespace

std::int64_t virtualHeads(const GroupStep& group) {
    const std::int64_t heads = group.values.size(1);
    if (!group.valueTaps.defined())
        return heads;
    return heads * ((group.valueTaps.size(0) + group.stride - 1) / group.stride);
}

at::Tensor outputWeightOf(const BlockWeights& block, const GroupStep& group) {
    const std::int64_t heads = group.values.size(1), valueWidth = group.values.size(3);
    return block.outputWeight.narrow(1, group.firstHead * valueWidth, heads * valueWidth);
}

at::Tensor groupMixed(const GroupStep& group) {
    const at::Tensor map = denseMap(group.applied);    // [head, query, key or compressedKey]
    const at::Tensor values = group.values.squeeze(0); // [head, key, valueWidth]
    at::Tensor mixed;                                  // z [head, query, valueWidth]
    if (group.valueTaps.defined()) {
        const std::int64_t keys = values.size(1), reads = virtualHeads(group) / values.size(0);
        for (std::int64_t r = 0; r < reads; ++r) {
            const at::Tensor part = at::bmm(mapOfTap(map, group, r, keys), tappedValues(values, group, r));
            mixed = mixed.defined() ? mixed.add_(part) : part;
        }
    } else {
        mixed = mixedValues(map, values);
    }
    if (group.valueBias.defined()) // Σ_m A_im is 1 but for rounding, smoothing and rows without a key
        mixed.addcmul_(map.sum(-1, true), group.valueBias);
    return mixed;
}

at::Tensor BlockTerms::transformed(std::int64_t first, std::int64_t count) const {
    std::vector<at::Tensor> u;
    for (const Part& part : parts)
        u.push_back(transformedValues(part.values.narrow(1, first, count), part.weight));
    return u.size() == 1 ? u.front() : at::cat(u, 0);
}

std::function<at::Tensor(std::int64_t, std::int64_t)> BlockTerms::transforming() const {
    if (!residual.is_cpu())
        return [this](std::int64_t first, std::int64_t count) { return transformed(first, count); };
    std::vector<std::shared_ptr<const HeadWeights>> weights;
    for (std::size_t k = 0; k < parts.size(); ++k) // the parts of a group have one
        weights.push_back(k > 0 && parts[k].weight.is_same(parts[k - 1].weight)
                              ? weights.back()
                              : std::make_shared<const HeadWeights>(parts[k].weight, parts[k].values.size(0)));
    return [this, weights = std::move(weights)](std::int64_t first, std::int64_t count) {
        const at::Tensor u = at::empty({maps.size(0), count, residual.size(1)}, residual.options());
        std::int64_t head = 0;
        for (std::size_t k = 0; k < parts.size(); ++k) {
            const std::int64_t heads = parts[k].values.size(0);
            weights[k]->write(parts[k].values.narrow(1, first, count), u.narrow(0, head, heads));
            head += heads;
        }
        return u;
    };
}

at::Tensor BlockTerms::transformed() const {
    return transformed(0, parts.front().values.size(1));
}

BlockTerms blockTerms(const BlockWeights& block, const std::vector<GroupStep>& groups, const at::Tensor& x) {
    BlockTerms result;
    result.residual = x.squeeze(0).contiguous(); // [query, width]
    if (groups.size() == 1) {
        appendGroup(block, groups.front(), {}, result);
        return result;
    }
    std::int64_t count = 0, first = 0;
    for (const GroupStep& group : groups)
        count += virtualHeads(group);
    result.maps = at::empty({count, result.residual.size(0), groups.front().values.size(2)}, x.options());
    for (const GroupStep& group : groups) {
        const std::int64_t own = virtualHeads(group);
        appendGroup(block, group, result.maps.narrow(0, first, own), result);
        first += own;
    }
    return result;
}

at::Tensor centredAndScaled(const at::Tensor& terms, const NormWeights& norm) {
    return terms.sub(terms.mean(-1, true)).mul_(norm.weight);
}

BlockWeights behindItsNorm(const BlockWeights& block) {
    BlockWeights result = block;
    if (block.after.defined()) // W_O is [width, head · valueWidth]
        result.outputWeight = centredAndScaled(block.outputWeight.t(), block.after).t().contiguous();
    return result;
}

} // namespace headroom::models
