// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/models/contributions/made_blocks.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/pad.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/stack.h>
#include <ATen/ops/zeros_like.h>

#include <algorithm>
#include <limits>

namespace headroom::testing {
namespace {

using models::AttentionMap;
using models::GroupStep;

/// Which keys a query may see, bool [query, key].
at::Tensor visible(const HeadGroup& kind, std::int64_t queries, std::int64_t keys) {
    const at::Tensor i = at::arange(queries, at::kLong).unsqueeze(1),
                     j = at::arange(keys, at::kLong).unsqueeze(0);
    const std::int64_t block = std::max(kind.window / 3, 1);
    switch (kind.kind) {
    case HeadKind::Local:
        return i.sub(j).abs().le(kind.window / 2);
    case HeadKind::LocalBlock:
        return i.div(block, "floor").sub(j.div(block, "floor")).abs().le(1);
    case HeadKind::Masked:
        return j.le(i);
    default:
        return i.sub(j).abs().ge(0);
    }
}

std::int64_t compressedLength(const HeadGroup& kind, std::int64_t tokens) {
    return std::max<std::int64_t>(
        1, (tokens + 2 * (kind.convStride / 2) - kind.convKernel) / kind.convStride + 1);
}

} // namespace

MadeBlock::MadeBlock(const std::string& heads, const Options& options) {
    const auto kinds = parseHeads(heads);
    const std::int64_t count = headCount(kinds), width = options.width;
    const std::int64_t valueWidth = width / count * (options.doubleValues ? 2 : 1);
    const at::Generator generator = at::detail::createCPUGenerator(options.seed);
    const auto random = [&](std::vector<std::int64_t> shape, double scale = 1.0) {
        return at::randn(shape, generator, at::kDouble).mul_(scale);
    };
    m_input = random({1, options.tokens, width});
    m_weights.valueWeight = random({count * valueWidth, width}, 0.3);
    m_weights.valueBias = random({count * valueWidth}, 0.2);
    m_weights.outputWeight = random({width, count * valueWidth}, 0.3);
    if (options.outputBias)
        m_weights.outputBias = random({width});
    const models::NormWeights norm{random({width}, 0.2).add_(1), random({width}, 0.3)};
    (options.postNorm ? m_weights.after : m_weights.before) = norm;
    if (options.memory > 0)
        m_weights.source = random({1, options.memory, width});
    const std::int64_t keys = options.memory > 0 ? options.memory : options.tokens;

    int firstHead = 0;
    std::vector<at::Tensor> shown;
    for (const HeadGroup& kind : kinds) {
        GroupStep group;
        group.kind = kind;
        group.firstHead = firstHead;
        firstHead += kind.count;
        const bool conv = kind.kind == HeadKind::Conv;
        const std::int64_t columns = conv ? compressedLength(kind, keys) : keys;
        at::Tensor scores = random({1, kind.count, options.tokens, columns}, 1.5);
        if (!conv)
            scores.masked_fill_(visible(kind, options.tokens, keys).logical_not(),
                                -std::numeric_limits<double>::infinity());
        at::Tensor map = at::softmax(scores, -1);
        if (options.unevenRows)
            map.mul_(random({1, kind.count, options.tokens, 1}, 0.1).add_(0.9));
        group.raw.weights = group.applied.weights = map;
        if (conv) {
            group.applied.form = group.raw.form = AttentionMap::Form::Compressed;
            group.stride = kind.convStride;
            group.padding = kind.convStride / 2;
            const bool depthwise = kind.convForm == ConvForm::Depthwise;
            group.valueTaps = depthwise ? random({kind.convKernel, valueWidth})
                                        : random({kind.convKernel, valueWidth, valueWidth}, 0.4);
            group.valueBias = random({valueWidth});
        }
        m_groups.push_back(group);
    }
    compute();
}

void MadeBlock::compute() {
    const std::int64_t width = m_input.size(2);
    const at::Tensor read = m_weights.source.defined() ? m_weights.source : m_input;
    const bool normed = m_weights.before.defined() && !m_weights.source.defined();
    const at::Tensor input =
        normed ? at::layer_norm(read, {width}, m_weights.before.weight, m_weights.before.bias, 1e-5) : read;
    std::int64_t heads = 0;
    for (const GroupStep& group : m_groups)
        heads += group.kind.count;
    const at::Tensor projected = at::linear(input, m_weights.valueWeight, m_weights.valueBias);
    m_values =
        projected.view({1, projected.size(1), heads, -1}).transpose(1, 2); // [1, head, key, valueWidth]
    for (GroupStep& group : m_groups)
        group.values = m_values.narrow(1, group.firstHead, group.kind.count);
    at::Tensor sum = throughOutput(mixed(m_values, true)).add(m_input.squeeze(0));
    if (m_weights.outputBias.defined())
        sum = sum.add(m_weights.outputBias);
    m_output = sum.unsqueeze(0);
}

models::AttentionStep MadeBlock::step() const {
    return {m_input, m_output, m_groups};
}

MadeBlock MadeBlock::inFloat() const {
    MadeBlock result = *this;
    const auto narrow = [](at::Tensor& tensor) {
        if (tensor.defined())
            tensor = tensor.to(at::kFloat);
    };
    for (at::Tensor* tensor :
         {&result.m_weights.outputWeight, &result.m_weights.outputBias, &result.m_weights.valueWeight,
          &result.m_weights.valueBias, &result.m_weights.before.weight, &result.m_weights.before.bias,
          &result.m_weights.after.weight, &result.m_weights.after.bias, &result.m_weights.source,
          &result.m_input})
        narrow(*tensor);
    for (GroupStep& group : result.m_groups) {
        narrow(group.applied.weights);
        group.raw.weights = group.applied.weights;
        narrow(group.valueTaps);
        narrow(group.valueBias);
    }
    result.compute();
    return result;
}

at::Tensor MadeBlock::compress(const at::Tensor& values, const GroupStep& group, bool bias) const {
    const std::int64_t keys = values.size(2), valueWidth = values.size(3);
    const std::int64_t length = group.applied.weights.size(3), kernel = group.valueTaps.size(0);
    const bool depthwise = group.valueTaps.dim() == 2;
    // Convolution's weight is [out, in / groups, tap].
    const at::Tensor weight =
        depthwise ? group.valueTaps.t().unsqueeze(1) : group.valueTaps.permute({1, 2, 0});
    const std::int64_t right = std::max<std::int64_t>(group.padding, length * group.stride + kernel - keys);
    const at::Tensor padded =
        at::pad(values.squeeze(0).transpose(1, 2), {group.padding, right}); // [head, valueWidth, time]
    const std::int64_t stride = group.stride, none = 0, one = 1;
    const at::Tensor result =
        at::conv1d(padded, weight, bias ? group.valueBias : at::Tensor(), at::IntArrayRef(stride),
                   at::IntArrayRef(none), at::IntArrayRef(one), depthwise ? valueWidth : 1);
    return result.narrow(2, 0, length).transpose(1, 2); // [head, compressedKey, valueWidth]
}

at::Tensor MadeBlock::mixed(const at::Tensor& values, bool bias) const {
    std::vector<at::Tensor> heads;
    for (const GroupStep& group : m_groups) {
        const at::Tensor own = values.narrow(1, group.firstHead, group.kind.count);
        const at::Tensor read = group.applied.form == AttentionMap::Form::Compressed
                                    ? compress(own, group, bias)
                                    : own.squeeze(0);
        heads.push_back(at::matmul(group.applied.weights.squeeze(0), read));
    }
    return at::cat(heads, 0);
}

at::Tensor MadeBlock::throughOutput(const at::Tensor& mixed) const {
    const at::Tensor joined =
        mixed.transpose(0, 1).reshape({mixed.size(1), -1}); // [query, head · valueWidth]
    return at::linear(joined, m_weights.outputWeight);
}

at::Tensor MadeBlock::expectedContributions() const {
    const std::int64_t keys = m_values.size(2), queries = m_input.size(1);
    const bool cross = m_weights.source.defined();
    const auto linearised = [&](const at::Tensor& one) {
        if (!m_weights.after.defined())
            return one;
        return one.sub(one.mean(-1, true)).mul(m_weights.after.weight);
    };
    std::vector<at::Tensor> columns;
    for (std::int64_t j = 0; j < keys; ++j) {
        at::Tensor own = term(j);
        if (!cross && j < queries)
            own[j].add_(m_input[0][j]);
        columns.push_back(linearised(own).norm(2, -1));
    }
    if (cross)
        columns.push_back(linearised(m_input.squeeze(0)).norm(2, -1));
    const at::Tensor norms = at::stack(columns, 1);
    return norms.div(norms.sum(-1, true));
}

at::Tensor MadeBlock::term(std::int64_t key) const {
    at::Tensor alone = at::zeros_like(m_values);
    alone.select(2, key).copy_(m_values.select(2, key));
    return throughOutput(mixed(alone, false));
}

at::Tensor MadeBlock::outputWithout(std::int64_t first, std::int64_t end) const {
    at::Tensor values = m_values.clone();
    values.narrow(2, first, end - first).zero_();
    const at::Tensor sum = throughOutput(mixed(values, true)).add(m_input.squeeze(0));
    return m_weights.outputBias.defined() ? sum.add(m_weights.outputBias) : sum;
}

at::Tensor MadeBlock::expectedRelevance() const {
    const at::Tensor all = mixed(m_values, true); // [head, query, valueWidth]
    std::vector<at::Tensor> columns;
    for (std::int64_t h = 0; h < all.size(0); ++h) {
        at::Tensor alone = at::zeros_like(all);
        alone[h].copy_(all[h]);
        columns.push_back(throughOutput(alone).norm(2, -1));
    }
    const at::Tensor norms = at::stack(columns, 1);
    return norms.div(norms.sum(-1, true));
}

} // namespace headroom::testing
