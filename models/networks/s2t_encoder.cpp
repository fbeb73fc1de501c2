// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/s2t_encoder.h"

#include "core/errors/error.h"
#include "models/attention/relative_bias.h"
#include "models/layers/basic.h"
#include "models/layers/device.h"
#include "models/layers/padding.h"
#include "models/layers/patches.h"
#include "models/layers/positional_convolution.h"
#include "models/layers/positions.h"
#include "models/layers/waveform.h"
#include "models/networks/branchformer_layer.h"
#include "models/networks/conformer_layer.h"
#include "models/networks/encoder_layer.h"
#include "models/networks/layer_factors.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/embedding.h>
#include <ATen/ops/lerp.h>
#include <ATen/ops/stack.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <utility>

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

/// The frames of a fixed window [batch, window, feature]: a recording's rows, and the last of them, which is
/// no sound, up to the window's end.
at::Tensor wholeWindow(const at::Tensor& features, const std::vector<std::int64_t>& frames,
                       std::int64_t window) {
    std::vector<at::Tensor> items;
    for (std::size_t item = 0; item < frames.size(); ++item) {
        const at::Tensor rows =
            features.select(0, static_cast<std::int64_t>(item)).narrow(0, 0, frames[item]); // [frame, feature]
        const std::int64_t own = std::min(frames[item], window);
        const at::Tensor silence = rows.narrow(0, frames[item] - 1, 1).expand({window - own, rows.size(1)});
        items.push_back(at::cat({rows.narrow(0, 0, own), silence}, 0));
    }
    return at::stack(items, 0);
}

/// Source tokens [batch, token, 1] through their embedding, which may be the decoder's: [batch, token, width]. What pads
/// a text is no token; the attention does not look at it.
at::Tensor embeddedText(const Parameters& parameters, const Architecture::FrontEnd& frontEnd,
                        const at::Tensor& features) {
    const at::Tensor& table = parameters.get(frontEnd.vocabulary > 0 ? "model.encoder.embed_tokens.weight"
                                                                     : "model.decoder.embed_tokens.weight"); // [vocabulary, width]
    const at::Tensor x = at::embedding(table, features.squeeze(2).to(at::kLong), kPaddingIndex);
    return frontEnd.scaled ? x.mul(std::sqrt(static_cast<double>(x.size(2)))) : x;
}

at::Tensor frontEndOutput(const Parameters& parameters, const Scope& encoder, const Architecture& architecture,
                          const at::Tensor& features, const std::vector<std::int64_t>& frames, Padding padding,
                          const Dropout& dropout) {
    const Architecture::FrontEnd& frontEnd = architecture.frontEnd;
    if (frontEnd.kind == FrontEndKind::Text)
        return embeddedText(parameters, frontEnd, features);
    if (frontEnd.kind == FrontEndKind::Waveform)
        return waveformFrontEnd(encoder / "conv", frontEnd, features, frames,
                                architecture.encoder.normEpsilon);
    if (frontEnd.kind == FrontEndKind::Linear)
        return linearFrontEnd(encoder / "conv", features, frames, architecture.encoder.normEpsilon);
    const auto window = frontEnd.input().window();
    if (frontEnd.kind == FrontEndKind::Patches)
        return patchTokens(encoder, frontEnd, wholeWindow(features, frames, window.value()));
    const at::Tensor x =
        window ? subsample(encoder / "conv", frontEnd, wholeWindow(features, frames, *window),
                           std::vector<std::int64_t>(frames.size(), *window), padding, dropout)
               : subsample(encoder / "conv", frontEnd, features, frames, padding, dropout);
    return frontEnd.scaled ? x.mul(std::sqrt(static_cast<double>(x.size(2)))) : x;
}

at::Tensor withPositions(const Scope& encoder, const Architecture& architecture, const at::Tensor& x,
                         const std::vector<std::int64_t>& lengths, const Dropout& dropout) {
    const Architecture::Encoder& shape = architecture.encoder;
    if (shape.positions == Positions::Convolutional)
        return addResidual(convolvedPositions(encoder / "positions", *shape.positionalConvolution, x, lengths,
                                              dropout),
                           x);
    if (shape.positions == Positions::Stored)
        return addResidual(
            x, (encoder / "embed_positions")["weight"].narrow(0, 0, x.size(1)).unsqueeze(0).to(x.scalar_type()));
    if (shape.positions != Positions::Sinusoidal && shape.positions != Positions::Interleaved)
        return x;
    at::Tensor positions = sent(shape.positions == Positions::Sinusoidal
                                    ? batchPositions(lengths, x.size(1), x.size(2))
                                    : interleavedPositions(x.size(1), x.size(2)).unsqueeze(0),
                                x.device());
    if (x.scalar_type() == at::kDouble)
        positions = positions.to(at::kDouble);
    return addResidual(x, positions);
}

/// Whether the last layer computes each token from the inputs alone, so that the others can be left out.
bool canReadFewer(const Architecture& architecture, const AttentionPlan& last) {
    return architecture.encoder.kind == EncoderKind::Transformer && !architecture.lengthAdapter && last.isFull() &&
           last.positions == AttentionPositions::Absolute && !last.relativeBias;
}

} // namespace

SubsamplerShape subsamplerShape(const Architecture& architecture) {
    return architecture.frontEnd;
}

at::Tensor encodeBatch(const Parameters& parameters, const Architecture& architecture,
                       const at::Tensor& features, const std::vector<std::int64_t>& frames, Padding padding,
                       const LayerObservers& beforeLayer, const Dropout& dropout,
                       const StateObserver& afterLayer, EncoderTimes* times, const LayerFactors* factors,
                       std::int64_t readTokens) {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point start = times ? Clock::now() : Clock::time_point();
    const auto secondsSince = [](Clock::time_point then) {
        return std::chrono::duration<double>(Clock::now() - then).count();
    };
    const Scope encoder = Scope(parameters) / "model" / "encoder";
    const Architecture::FrontEnd& frontEnd = architecture.frontEnd;
    const Architecture::Encoder& shape = architecture.encoder;
    std::vector<std::int64_t> lengths;
    for (const std::int64_t count : frames)
        lengths.push_back(subsampledLength(frontEnd, count));
    at::Tensor x = withPositions(encoder, architecture,
                                 frontEndOutput(parameters, encoder, architecture, features, frames, padding, dropout),
                                 lengths, dropout); // [batch, token, width]
    if (frontEnd.projection) // in fairseq's order
        x = linear(encoder / "conv" / "projection", x);
    if (shape.inputNorm)
        x = layerNorm(encoder / "input_norm", x, shape.normEpsilon);
    if (x.scalar_type() == at::kBFloat16) // what flows past the blocks is float, whatever autocast made of it
        x = x.to(at::kFloat);
    x = dropped(x, dropout.hidden);
    if (afterLayer)
        afterLayer(0, x);

    AttentionContext::Options options;
    options.training = dropout.training;
    options.relaxation = dropout.relaxation;
    options.drawn = dropout.drawn;
    options.convReadsPadding = padding == Padding::AsReference;
    double attention = 0; // of one layer, seconds
    options.seconds = times ? &attention : nullptr;
    options.device = x.device();
    options.mappedQueries = readTokens;
    AttentionContext context(lengths, x.size(1), options);
    if (shape.relativeBias)
        context.setRelativeBias(
            biasByOffset((encoder / "relative_bias")["weight"], *shape.relativeBias, x.size(1)));
    const Activation activation = shape.activation;
    const std::vector<AttentionPlan> plans = attentionPlans(shape, architecture.name);
    const bool readsFewer = readTokens > 0 && readTokens < x.size(1) && !factors && canReadFewer(architecture, plans.back());
    const bool normsOutput = shape.normsOutput();
    if (times)
        times->frontEnd = secondsSince(start);
    for (const AttentionPlan& plan : plans) {
        const double factor =
            factors ? LayerFactors::of(factors->encoder, static_cast<std::size_t>(plan.layer - 1)) : 1;
        if (factor == 0)
            continue;
        const Clock::time_point began = times ? Clock::now() : Clock::time_point();
        AttentionObserver observe = beforeLayer ? beforeLayer(plan.layer) : AttentionObserver();
        if (beforeLayer && !observe) // one observed layer keeps all explicit: the choice changes no number
            observe = [](const AttentionStep&) {};
        const Scope layer = encoder / "layers" / (plan.layer - 1);
        const bool isLast = plan.layer == static_cast<int>(plans.size());
        context.setReadQueries(isLast && readsFewer ? readTokens : 0);
        const auto layerOf = [&](const at::Tensor& input, const AttentionObserver& observer) {
            switch (shape.kind) {
            case EncoderKind::Conformer:
                return conformerLayer(layer, input, shape, plan, context, observer, dropout);
            case EncoderKind::Branchformer:
                return branchformerLayer(layer, input, shape, plan, context, observer, dropout);
            case EncoderKind::Transformer:
                break;
            }
            return encoderLayer(layer, input, plan, context, activation, observer, dropout);
        };
        if (observe)
            context.setLayer(
                [&] {
                    const at::Tensor output = layerOf(x, {});
                    return isLast && normsOutput ? layerNorm(encoder / "layer_norm", output, shape.normEpsilon)
                                                 : output;
                },
                shape.kind == EncoderKind::Transformer);
        x = factor == 1 ? layerOf(x, observe) : at::lerp(x, layerOf(x, observe), factor);
        context.setLayer({}, false);
        if (times) {
            times->layers.push_back(secondsSince(began));
            times->attention.push_back(std::exchange(attention, 0.0));
        }
        if (afterLayer)
            afterLayer(plan.layer, x);
    }
    if (normsOutput)
        x = layerNorm(encoder / "layer_norm", x, shape.normEpsilon);
    if (times)
        times->total = secondsSince(start);
    return x;
}

} // namespace headroom::models
