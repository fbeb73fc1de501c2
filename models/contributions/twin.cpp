// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/twin.h"

#include "models/kernels/contributions.h"
#include "models/layers/basic.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace headroom::models {
namespace {

/// v of all heads from the block's input, in double, for the first `keys` keys: [head, key, valueWidth].
at::Tensor valuesInDouble(const BlockWeights& block, const at::Tensor& x, std::int64_t keys, std::int64_t valueWidth) {
    Parameters inDouble;
    const auto take = [&](const char* name, const at::Tensor& tensor) {
        if (tensor.defined())
            inDouble.set(name, tensor.to(at::kCPU, at::kDouble));
    };
    take("norm.weight", block.before.weight);
    take("norm.bias", block.before.bias);
    take("value.weight", block.valueWeight);
    take("value.bias", block.valueBias);
    const Scope twin(inDouble);
    const at::Tensor& read = block.source.defined() ? block.source : x;
    at::Tensor input = read.squeeze(0).narrow(0, 0, keys).to(at::kCPU, at::kDouble); // [key, width]
    if (block.before.defined() && !block.source.defined()) // the memory is read as it is
        input = layerNorm(twin / "norm", input, block.before.epsilon);
    return linear(twin / "value", input).view({input.size(0), -1, valueWidth}).transpose(0, 1);
}

/// The group's maps and values as heads over the original tokens. A convolution's tap t takes A_im to token
/// stride · m + t − padding; taps that are a whole stride apart never meet the same token through the same r.
void appendGroup(const GroupStep& group, const at::Tensor& index, const at::Tensor& allValues,
                 std::vector<at::Tensor>& maps, std::vector<at::Tensor>& values) {
    const at::Tensor own = allValues.narrow(0, group.firstHead, group.values.size(1));
    const at::Tensor map =
        denseMap(group.applied).index_select(1, index.to(group.values.device())).to(at::kCPU, at::kDouble); // [head, query, key]
    if (group.applied.form != AttentionMap::Form::Compressed) {
        maps.push_back(map.narrow(2, 0, own.size(1)));
        values.push_back(own);
        return;
    }
    const at::Tensor weights = group.valueTaps.to(at::kCPU, at::kDouble);
    const std::int64_t keys = own.size(1), compressed = map.size(2), taps = weights.size(0);
    for (std::int64_t start = 0; start < taps; start += group.stride) {
        at::Tensor spread = at::zeros({map.size(0), map.size(1), keys}, at::kDouble);
        at::Tensor tapped = at::zeros(own.sizes(), at::kDouble);
        for (std::int64_t tap = start; tap < std::min<std::int64_t>(start + group.stride, taps); ++tap) {
            const at::Tensor tokens =
                at::arange(compressed, at::kLong).mul_(group.stride).add_(tap - group.padding);
            const at::Tensor inside = tokens.ge(0).logical_and_(tokens.lt(keys)).nonzero().squeeze(1);
            const at::Tensor place = tokens.index_select(0, inside);
            spread.index_copy_(2, place, map.index_select(2, inside));
            const at::Tensor read = own.index_select(1, place);
            tapped.index_copy_(1, place,
                               weights[tap].dim() == 1 ? read.mul(weights[tap])
                                                       : at::matmul(read, weights[tap].t()));
        }
        maps.push_back(spread);
        values.push_back(tapped);
    }
}

} // namespace

Matrix<double> materialisedTwin(const BlockWeights& block, const std::vector<GroupStep>& groups,
                                const at::Tensor& x, std::span<const std::int64_t> queries, std::int64_t keys) {
    const auto index = at::from_blob(const_cast<std::int64_t*>(queries.data()),
                                     {static_cast<std::int64_t>(queries.size())}, at::kLong);
    const std::int64_t every = (block.source.defined() ? block.source : x).size(1);
    const auto isCompressed = [](const GroupStep& group) { return group.applied.form == AttentionMap::Form::Compressed; };
    if (keys == 0 || keys > every || std::any_of(groups.begin(), groups.end(), isCompressed))
        keys = every;
    const at::Tensor all = valuesInDouble(block, x, keys, groups.front().values.size(3));
    const at::Tensor outputWeight = block.outputWeight.to(at::kCPU, at::kDouble);
    struct Part {
        at::Tensor values, weight; // [head, key, valueWidth], [width, head · valueWidth]
    };
    std::vector<at::Tensor> maps;
    std::vector<Part> parts;
    for (const GroupStep& group : groups) {
        std::vector<at::Tensor> values;
        appendGroup(group, index, all, maps, values);
        const std::int64_t heads = group.values.size(1), valueWidth = group.values.size(3);
        const at::Tensor weight = outputWeight.narrow(1, group.firstHead * valueWidth, heads * valueWidth);
        for (const at::Tensor& part : values)
            parts.push_back({part, weight});
    }
    const at::Tensor gamma =
        block.after.defined() ? block.after.weight.to(at::kCPU, at::kDouble) : at::Tensor();
    const auto linearised = [&](const at::Tensor& t) {
        return gamma.defined() ? t.sub(t.mean(-1, true)).mul_(gamma) : t;
    };
    const auto transformedOf = [&](std::int64_t first, std::int64_t count) {
        std::vector<at::Tensor> u;
        for (const Part& part : parts)
            u.push_back(transformedValues(part.values.narrow(1, first, count), part.weight));
        return linearised(u.size() == 1 ? u.front() : at::cat(u, 0));
    };
    const at::Tensor map = at::cat(maps, 0);
    return referenceContributions(map, map.size(2), transformedOf, linearised(x.squeeze(0).to(at::kCPU, at::kDouble)),
                                  block.source.defined() ? ResidualPlace::Column : ResidualPlace::Diagonal,
                                  queries);
}

} // namespace headroom::models
