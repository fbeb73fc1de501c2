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

/// v of all heads from the block's input, in double, for the first `keys` keys: [head, key, valueWidth].
at::Tensor valuesInDouble(const BlockWeights& block, const at::Tensor& x, std::int64_t keys, std::int64_t valueWidth) {
    const auto inDouble = [](const at::Tensor& tensor) { return tensor.to(at::kCPU, at::kDouble); };
    const at::Tensor& read = block.source.defined() ? block.source : x;
    at::Tensor input = inDouble(read.squeeze(0).narrow(0, 0, keys)); // [key, width]
    if (block.before.defined() && !block.source.defined())           // the memory is read as it is
        input = at::layer_norm(input, {input.size(1)}, inDouble(block.before.weight), inDouble(block.before.bias), block.before.epsilon);
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

/// u^v_j are the rows of `values` through `weight`.
struct VirtualHead {
    at::Tensor values; // [key, valueWidth], each row contiguous
    const DoubleMatrix* weight;
};

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
    const at::Tensor outputWeight = block.outputWeight.cpu();
    const std::int64_t width = outputWeight.size(0), valueWidth = groups.front().values.size(3);
    std::vector<DoubleMatrix> perHead; // W_O^h
    for (std::int64_t head = 0; head < all.size(0); ++head)
        perHead.emplace_back(outputWeight.narrow(1, head * valueWidth, valueWidth));
    std::vector<at::Tensor> maps;
    std::vector<VirtualHead> heads;
    for (const GroupStep& group : groups) {
        std::vector<at::Tensor> values;
        appendGroup(group, index, all, maps, values);
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
            head.weight->multiply(head.values.const_data_ptr<double>() + first * stride, stride, count, to, width);
            to += count * width;
        }
        if (gamma.defined())
            centreAndScaleRows(u.mutable_data_ptr<double>(), u.size(0) * count, width, gamma.const_data_ptr<double>());
        return u;
    };
    at::Tensor residual = x.squeeze(0).to(at::kCPU, at::kDouble).contiguous();
    if (gamma.defined())
        residual = residual.sub(residual.mean(-1, true)).mul_(gamma);
    const at::Tensor map = maps.size() == 1 ? maps.front() : at::cat(maps, 0);
    return referenceContributions(map, map.size(2), transformedOf, residual,
                                  block.source.defined() ? ResidualPlace::Column : ResidualPlace::Diagonal,
                                  queries);
}

} // namespace headroom::models
