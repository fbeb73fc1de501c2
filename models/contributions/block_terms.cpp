// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/block_terms.h"

#include "models/kernels/contributions.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/bmm.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>

namespace headroom::models {
namespace {

bool isCompressed(const GroupStep& group) {
    return group.applied.form == AttentionMap::Form::Compressed;
}

/// W_O's columns of the group's heads: [width, head · valueWidth].
at::Tensor outputWeightOf(const BlockWeights& block, const GroupStep& group) {
    const std::int64_t heads = group.values.size(1), valueWidth = group.values.size(3);
    return block.outputWeight.narrow(1, group.firstHead * valueWidth, heads * valueWidth);
}

/// A^h_{i, m_r(j)}, zero where there is no such compressed key: [head, query, key].
at::Tensor mapOfTap(const at::Tensor& map, const GroupStep& group, std::int64_t r, std::int64_t keys) {
    const at::Tensor place =
        at::arange(keys, at::kLong).add_(group.padding).div_(group.stride, "floor").sub_(r); // [key]
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

/// The convolution's bias through W_O^h, [head, 1, width]; undefined where the group has none.
at::Tensor biasThroughOutput(const BlockWeights& block, const GroupStep& group) {
    if (!isCompressed(group) || !group.valueBias.defined())
        return {};
    const std::int64_t heads = group.values.size(1);
    return transformedValues(group.valueBias.expand({heads, 1, -1}), outputWeightOf(block, group));
}

/// Σ_m A^h_im, which is 1 but for rounding, smoothing and rows without a key: [head, query, 1].
at::Tensor rowSums(const GroupStep& group) {
    return group.applied.weights.squeeze(0).sum(-1, true);
}

std::int64_t reachOfGroup(const GroupStep& group, std::int64_t tokens) {
    std::int64_t reach = tokens;
    if (group.applied.form == AttentionMap::Form::Band)
        reach = group.applied.reach;
    else if (group.kind.kind == HeadKind::Local)
        reach = group.kind.window / 2;
    else if (group.kind.kind ==
             HeadKind::LocalBlock) // the last token of a block sees the first of the one before
        reach = 2 * std::max(group.kind.window / 3, 1) - 1;
    return std::min(reach, tokens);
}

at::Tensor together(const std::vector<at::Tensor>& parts) {
    return parts.size() == 1 ? parts.front().contiguous() : at::cat(parts, 0);
}

} // namespace

std::int64_t virtualHeads(const HeadGroup& group) {
    if (group.kind != HeadKind::Conv)
        return 1;
    return (group.convKernel + group.convStride - 1) / group.convStride;
}

BlockTerms blockTerms(const BlockWeights& block, const std::vector<GroupStep>& groups, const at::Tensor& x) {
    BlockTerms result;
    result.residual = x.squeeze(0).contiguous(); // [query, width]
    std::vector<at::Tensor> maps, transformed;
    for (const GroupStep& group : groups) {
        const at::Tensor map = denseMap(group.applied);    // [head, query, key or compressedKey]
        const at::Tensor values = group.values.squeeze(0); // [head, key, valueWidth]
        const at::Tensor weight = outputWeightOf(block, group);
        const std::int64_t heads = values.size(0), keys = values.size(1);
        result.reach = std::max(result.reach, reachOfGroup(group, keys));
        const std::int64_t taps = isCompressed(group) ? group.valueTaps.size(0) : 1;
        const std::int64_t reached = isCompressed(group) ? (taps + group.stride - 1) / group.stride : 1;
        for (std::int64_t r = 0; r < reached; ++r) {
            maps.push_back(isCompressed(group) ? mapOfTap(map, group, r, keys) : map);
            transformed.push_back(
                transformedValues(isCompressed(group) ? tappedValues(values, group, r) : values, weight));
            for (std::int64_t h = 0; h < heads; ++h)
                result.heads.push_back(group.firstHead + static_cast<int>(h));
        }
    }
    result.maps = together(maps);
    result.transformed = together(transformed);
    return result;
}

at::Tensor centredAndScaled(const at::Tensor& terms, const NormWeights& norm) {
    return terms.sub(terms.mean(-1, true)).mul_(norm.weight);
}

at::Tensor headOutputs(const BlockWeights& block, const std::vector<GroupStep>& groups,
                       const BlockTerms& terms) {
    const std::int64_t queries = terms.residual.size(0), width = terms.residual.size(1);
    const std::int64_t heads = *std::max_element(terms.heads.begin(), terms.heads.end()) + 1;
    const auto virtualCount = static_cast<std::int64_t>(terms.heads.size());
    at::Tensor result;
    if (virtualCount == heads) { // each head is one
        result = at::bmm(terms.maps, terms.transformed);
    } else {
        result = at::zeros({heads, queries, width}, terms.residual.scalar_type());
        for (std::int64_t v = 0; v < virtualCount; ++v)
            result.select(0, terms.heads[static_cast<std::size_t>(v)])
                .addmm_(terms.maps.select(0, v), terms.transformed.select(0, v));
    }
    for (const GroupStep& group : groups) {
        const at::Tensor bias = biasThroughOutput(block, group); // [head, 1, width]
        if (bias.defined())
            result.narrow(0, group.firstHead, group.values.size(1)).add_(rowSums(group).mul(bias));
    }
    return result;
}

} // namespace headroom::models
