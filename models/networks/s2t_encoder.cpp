// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/s2t_encoder.h"

#include "core/errors/error.h"
#include "models/attention/full.h"
#include "models/layers/basic.h"
#include "models/layers/encoder_layer.h"
#include "models/layers/positions.h"

#include <ATen/core/Tensor.h>

#include <cmath>

namespace headroom::models {
namespace {

/// Position rows [batch or 1, token, width]: a recording's own tokens count from 2, its padding has the row
/// of zeros.
at::Tensor batchPositions(const std::vector<std::int64_t>& lengths, std::int64_t tokens, std::int64_t width) {
    const at::Tensor rows =
        sinusoidalPositions(kPaddingIndex + 1, tokens, width).unsqueeze(0); // [1, token, width]
    const at::Tensor padded = hiddenPadding(lengths, tokens);               // [batch, 1, 1, token]
    return padded.defined() ? rows.masked_fill(padded.squeeze(1).transpose(1, 2), 0) : rows;
}

} // namespace

SubsamplerShape subsamplerShape(const Architecture& architecture) {
    return architecture.frontEnd;
}

at::Tensor encodeBatch(const Parameters& parameters, const Architecture& architecture,
                       const at::Tensor& features, const std::vector<std::int64_t>& frames, Padding padding,
                       const LayerObservers& beforeLayer, const Dropout& dropout) {
    const Scope encoder = Scope(parameters) / "model" / "encoder";
    const SubsamplerShape shape = subsamplerShape(architecture);
    at::Tensor x = subsample(encoder / "conv", shape, features, frames, padding,
                             dropout.training); // [batch, token, width]

    std::vector<std::int64_t> lengths;
    for (const std::int64_t count : frames)
        lengths.push_back(subsampledLength(shape, count));
    const std::int64_t width = x.size(2);
    x = x.mul_(std::sqrt(static_cast<double>(width)));
    if (architecture.encoder.positions == "sinusoidal") {
        at::Tensor positions = batchPositions(lengths, x.size(1), width);
        if (x.scalar_type() == at::kDouble)
            positions = positions.to(at::kDouble);
        x = addResidual(x, positions);
    }
    x = dropped(x, dropout.hidden);

    AttentionContext::Options options;
    options.training = dropout.training;
    options.convReadsPadding = padding == Padding::AsReference;
    AttentionContext context(lengths, x.size(1), options);
    const Activation activation = activationOf(architecture.encoder.activation);
    for (const AttentionPlan& plan : attentionPlans(architecture.encoder, architecture.name)) {
        const AttentionObserver observe = beforeLayer ? beforeLayer(plan.layer) : AttentionObserver();
        x = encoderLayer(encoder / "layers" / (plan.layer - 1), x, plan, context, activation, observe,
                         dropout);
    }
    return architecture.encoder.norm == "post" ? x : layerNorm(encoder / "layer_norm", x);
}

} // namespace headroom::models
