// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/twin.h"

#include "models/kernels/contributions.h"
#include "models/kernels/double_matrix.h"
#include "models/kernels/pieces.h"

#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/from_blob.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include <algorithm>

namespace headroom::models {
namespace {

at::Tensor lent(std::span<const std::int64_t> numbers) { // borrowed
    return at::from_blob(const_cast<std::int64_t*>(numbers.data()),
                         {static_cast<std::int64_t>(numbers.size())}, at::kLong);
}

/// These slices of `tensor` along `dimension`, on its device; all of them if `numbers` is not defined.
at::Tensor chosen(const at::Tensor& tensor, std::int64_t dimension, const at::Tensor& numbers) {
    return numbers.defined() ? tensor.index_select(dimension, numbers.to(tensor.device())) : tensor;
}

/// v of all heads from the input of these keys, [key, width], in double: [head, key, valueWidth].
at::Tensor valuesInDouble(const BlockWeights& block, const at::Tensor& read, std::int64_t valueWidth) {
    const auto inDouble = [](const at::Tensor& tensor) { return tensor.to(at::kCPU, at::kDouble); };
    const std::int64_t keys = read.size(0);
    at::Tensor input = inDouble(read);
    if (block.before.defined() && !block.source.defined()) // the memory is read as it is
        input = at::layer_norm(input, {input.size(1)}, inDouble(block.before.weight),
                               inDouble(block.before.bias), block.before.epsilon);
    input = input.contiguous();
    const DoubleMatrix weight(block.valueWeight.cpu());
    const at::Tensor bias = block.valueBias.defined() ? inDouble(block.valueBias).contiguous() : at::Tensor();
    const at::Tensor values = at::empty({keys, weight.out()}, at::kDouble);
    inPieces(keys, [&](std::int64_t first, std::int64_t count) {
        weight.multiply(input.const_data_ptr<double>() + first * weight.in(), weight.in(), count,
                        values.mutable_data_ptr<double>() + first * weight.out(), weight.out(),
                        bias.defined() ? bias.const_data_ptr<double>() : nullptr);
    });
    return values.view({keys, -1, valueWidth}).transpose(0, 1);
}

/// The group's maps and values as heads over the original tokens. A convolution's tap t takes A_im to token
/// stride · m + t − padding; taps that are a whole stride apart never meet the same token through the same r.
void appendGroup(const GroupStep& group, const at::Tensor& queries, const at::Tensor& chosenKeys,
                 const at::Tensor& allValues, std::vector<at::Tensor>& maps,
                 std::vector<at::Tensor>& values) {
    const at::Tensor own = allValues.narrow(0, group.firstHead, group.values.size(1));
    const at::Tensor map = chosen(chosen(denseMap(group.applied), 1, queries), 2, chosenKeys)
                               .to(at::kCPU, at::kDouble); // [head, query, key]
    if (group.applied.form != AttentionMap::Form::Compressed) {
        maps.push_back(map);
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

/// u^v_j are the rows of `values` through `weight`.
struct VirtualHead {
    at::Tensor values; // [key, valueWidth], each row contiguous
    const DoubleMatrix* weight;
};

} // namespace

Matrix<double> materialisedTwin(const BlockWeights& block, const std::vector<GroupStep>& groups,
                                const at::Tensor& x, std::span<const std::int64_t> queries,
                                std::span<const std::int64_t> keys) {
    const bool cross = block.source.defined();
    const auto isCompressed = [](const GroupStep& group) {
        return group.applied.form == AttentionMap::Form::Compressed;
    };
    if (std::any_of(groups.begin(), groups.end(), isCompressed))
        keys = {};
    const at::Tensor chosenKeys = keys.empty() ? at::Tensor() : lent(keys);
    const at::Tensor read = chosen((cross ? block.source : x).squeeze(0), 0, chosenKeys);
    const at::Tensor all = valuesInDouble(block, read, groups.front().values.size(3));
    const at::Tensor outputWeight = block.outputWeight.cpu();
    const std::int64_t width = outputWeight.size(0), valueWidth = groups.front().values.size(3);
    std::vector<DoubleMatrix> perHead; // W_O^h
    for (std::int64_t head = 0; head < all.size(0); ++head)
        perHead.emplace_back(outputWeight.narrow(1, head * valueWidth, valueWidth));
    std::vector<at::Tensor> maps;
    std::vector<VirtualHead> heads;
    for (const GroupStep& group : groups) {
        std::vector<at::Tensor> values;
        appendGroup(group, lent(queries), chosenKeys, all, maps, values);
        for (const at::Tensor& part : values)
            for (std::int64_t h = 0; h < part.size(0); ++h)
                heads.push_back({part[h], &perHead[static_cast<std::size_t>(group.firstHead + h)]});
    }
    const at::Tensor gamma =
        block.after.defined() ? block.after.weight.to(at::kCPU, at::kDouble).contiguous() : at::Tensor();
    const auto transformedOf = [&](std::int64_t first, std::int64_t count) {
        const at::Tensor u = at::empty({static_cast<std::int64_t>(heads.size()), count, width}, at::kDouble);
        auto* to = u.mutable_data_ptr<double>();
        for (const VirtualHead& head : heads) {
            const std::int64_t stride = head.values.stride(0);
            head.weight->multiply(head.values.const_data_ptr<double>() + first * stride, stride, count, to,
                                  width);
            to += count * width;
        }
        if (gamma.defined())
            centreAndScaleRows(u.mutable_data_ptr<double>(), u.size(0) * count, width,
                               gamma.const_data_ptr<double>());
        return u;
    };
    // In self-attention the residual of a query stands where the query is among the keys.
    std::vector<std::int64_t> places(queries.begin(), queries.end());
    if (!cross && !keys.empty())
        for (std::int64_t& place : places)
            place = std::lower_bound(keys.begin(), keys.end(), place) - keys.begin();
    at::Tensor residual = (cross ? x.squeeze(0) : read).to(at::kCPU, at::kDouble).contiguous();
    if (gamma.defined())
        residual = residual.sub(residual.mean(-1, true)).mul_(gamma);
    const at::Tensor map = maps.size() == 1 ? maps.front() : at::cat(maps, 0);
    return referenceContributions(map, map.size(2), transformedOf, residual,
                                  cross ? ResidualPlace::Column : ResidualPlace::Diagonal, places);
}

} // namespace headroom::models
