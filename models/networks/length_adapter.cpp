// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/length_adapter.h"

#include "core/errors/error.h"
#include "models/attention/multi_head.h"
#include "models/layers/basic.h"
#include "models/layers/device.h"
#include "models/layers/padding.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/glu.h>
#include <ATen/ops/matmul.h>

namespace headroom::models {
namespace {

using Adapter = Architecture::LengthAdapter;

/// GLU of a strided convolution along time: [batch, token, width] → [batch, token′, width].
at::Tensor shortened(const Scope& convolution, const at::Tensor& x, const Adapter& shape) {
    const at::Tensor y = at::conv1d(x.transpose(1, 2), convolution["weight"], convolution["bias"],
                                    {shape.stride}, {shape.stride / 2});
    return at::glu(y, 1).transpose(1, 2);
}

at::Tensor adapterLayer(const Scope& layer, const at::Tensor& x, const Adapter& shape,
                        const std::vector<std::int64_t>& lengths, double epsilon) {
    const at::Tensor residual =
        shortened(layer / "residual_conv", layerNorm(layer / "residual_layer_norm", x, epsilon), shape);
    const at::Tensor input =
        shortened(layer / "self_attn_conv", layerNorm(layer / "self_attn_layer_norm", x, epsilon), shape);
    const Scope attention = layer / "self_attn";
    const auto heads = [&](const char* name) {
        return splitHeads(linear(attention / name, input), shape.heads);
    };
    at::Tensor hidden = hiddenPadding(lengths, input.size(1));
    if (hidden.defined())
        hidden = sent(hidden, input.device());
    const at::Tensor map = attentionMap(heads("q_proj"), heads("k_proj"), hidden);
    const at::Tensor y =
        linear(attention / "out_proj", joinHeads(at::matmul(map, heads("v_proj")))).add(residual);
    return feedForward(layer / "ffn", layerNorm(layer / "ffn_layer_norm", y, epsilon), {}, shape.activation)
        .add(y);
}

} // namespace

at::Tensor beforeOutput(const Scope& scope, const Architecture& architecture, const at::Tensor& memory,
                        const std::vector<std::int64_t>& lengths) {
    at::Tensor x = memory;
    if (architecture.intermediateFeedForward)
        x = feedForward(scope / "intermediate_ffn", x, {}, Activation::Relu).mul(0.5).add(x);
    if (!architecture.lengthAdapter)
        return x;
    const Adapter& shape = *architecture.lengthAdapter;
    const double epsilon = architecture.encoder.normEpsilon;
    const Scope adapter = scope / "adapter";
    if (shape.width != architecture.encoder.width)
        x = layerNorm(adapter / "proj_layer_norm", linear(adapter / "proj", x), epsilon);
    std::vector<std::int64_t> valid = lengths;
    std::int64_t tokens = x.size(1);
    for (int l = 0; l < shape.layers; ++l)
        tokens = tokens + 2 * (shape.stride / 2) < shape.kernel ? 0 : shape.lengthOf(tokens);
    if (tokens < 1)
        throw Error("model.tooShort",
                    architecture.name + " needs more than " + std::to_string(x.size(1)) +
                        " tokens: its length adapter makes no token of them.",
                    {{"tokens", x.size(1)}});
    for (int l = 0; l < shape.layers; ++l) {
        for (std::int64_t& length : valid)
            length = (length + 2 * (shape.kernel / 2) - shape.kernel) / shape.stride + 1;
        x = adapterLayer(adapter / "layers" / l, x, shape, valid, epsilon);
    }
    return x;
}

} // namespace headroom::models
