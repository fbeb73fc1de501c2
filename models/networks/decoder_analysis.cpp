// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/networks/decoder_analysis.h"

#include "models/contributions/analyse_layer.h"
#include "models/contributions/block_weights.h"
#include "models/contributions/memory.h"
#include "models/layers/numbers.h"
#include "models/mixing/decoder_mixing.h"
#include "models/mixing/layer_mixing.h"
#include "models/mixing/measured_block.h"
#include "models/networks/recording_limits.h"
#include "models/networks/s2t_decoder.h"
#include "models/networks/s2t_encoder.h"
#include "models/networks/text_writer.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <span>
#include <utility>

namespace headroom::models {

bool wantsLayer(const AnalysisOptions& options, int layer, const CancelFlag* cancel) {
    if (cancel && cancel->load(std::memory_order_relaxed))
        throw Cancelled();
    return options.layers.empty() || std::ranges::find(options.layers, layer) != options.layers.end();
}

void checkLayers(const ModelInfo& info, const AnalysisOptions& options, int layers) {
    for (const int layer : options.layers)
        if (layer < 1 || layer > layers)
            throw Error("model.noSuchLayer",
                        info.name + " has layers 1 to " + std::to_string(layers) + ", but layer " +
                            std::to_string(layer) + " was requested.",
                        {{"layer", layer}, {"layers", layers}});
}

int lastWantedLayer(const AnalysisOptions& options, int layers) {
    return options.layers.empty() ? layers : *std::ranges::max_element(options.layers);
}

DecoderMemory decoderMemory(const Parameters& parameters, const ModelInfo& info, const at::Tensor& features,
                            const MixingOptions& mixing, const CancelFlag* cancel) {
    MixingOptions rolled;
    for (const MixingMeasure& measure : mixing.measures)
        if (measure.rollout && measure.kind != Mixing::ValueZeroing) // decoder_mixing.h
            rolled.measures.push_back(measure);
    DecoderMemory memory;
    LayerObservers observe;
    if (!rolled.measures.empty()) {
        AnalysisOptions maps;
        maps.explain = maps.headProfiles = false;
        maps.mixing = rolled;
        const std::int64_t frames = features.size(1);
        refuseWhatDoesNotFit(analysisBytes(info.architecture, frames, maps), freeMemoryToCompute(), secondsOf(info, frames));
        memory.rollouts = std::make_unique<LayerMixing>(rolled);
        observe = [&](int layer) -> AttentionObserver {
            return [&, layer](const AttentionStep& step) {
                const Architecture::Encoder& encoder = info.architecture.encoder;
                const BlockWeights block =
                    blockWeights(Scope(parameters) / "model" / "encoder" / "layers" / (layer - 1), "self_attn",
                                 "self_attn_layer_norm", encoder.norm, encoder.normEpsilon);
                memory.rollouts->ofLayer(block, step, layer, false, cancel);
            };
        };
    }
    memory.output = encodeBatch(parameters, info.architecture, features, {features.size(1)}, Padding::Safe, observe);
    return memory;
}

at::Tensor analyseDecoderLayers(const Parameters& parameters, const ModelInfo& info, const DecoderMemory& memory,
                                std::int64_t ownTokens, const std::vector<int>& inputs,
                                const AnalysisOptions& options,
                                const std::function<void(DecoderLayerAnalysis&&)>& onLayer,
                                const CancelFlag* cancel) {
    const Architecture::Decoder& plan = *info.architecture.decoder;
    S2tDecoder decoder(parameters, info.architecture, memory.output);
    DecoderMixing mixing(options.mixing, ownTokens, memory.rollouts.get());
    DecoderLayerAnalysis current;
    const auto ofBlock = [&](bool cross, int layer, bool wanted) -> AttentionObserver {
        const bool counts = options.blocks == DecoderBlocks::Both || (options.blocks == DecoderBlocks::Cross) == cross;
        const bool shown = wanted && counts;
        const bool last = cross || options.blocks == DecoderBlocks::Self; // of the layer's blocks
        if (!shown && !memory.rollouts)
            return {};
        return [&, cross, layer, shown, last](const AttentionStep& step) {
            const Scope scope = Scope(parameters) / "model" / "decoder" / "layers" / (layer - 1);
            BlockWeights block = cross ? blockWeights(scope, "encoder_attn", "encoder_attn_layer_norm", plan.norm)
                                       : blockWeights(scope, "self_attn", "self_attn_layer_norm", plan.norm);
            if (cross)
                block.source = memory.output;
            MeasuredBlock measured(block, step, cancel);
            std::vector<MixingMap> mixed =
                cross ? mixing.ofCross(measured, layer, shown, cancel) : mixing.ofSelf(measured, layer, shown, cancel);
            if (!shown)
                return;
            current.layer = layer;
            LayerAnalysis& found = cross ? current.cross : current.self;
            found = analyseLayer(block, layer, step, options, cancel, cross ? ownTokens : 0, measured.explanation());
            found.mixing = std::move(mixed);
            if (last)
                onLayer(std::exchange(current, {}));
        };
    };
    decoder.observe([&](int layer) -> DecoderLayerObservers {
        const bool wanted = wantsLayer(options, layer, cancel);
        if (!wanted && !(memory.rollouts && layer < lastWantedLayer(options, plan.layers)))
            return {};
        return {ofBlock(false, layer, wanted), ofBlock(true, layer, wanted)};
    });
    return decoder.feed(inputs);
}

void readLogits(const ModelInfo& info, const at::Tensor& logits, DecoderAnalysis& result) {
    const at::Tensor likeliest = logits.argmax(-1).cpu().contiguous(); // [target]
    const Matrix<float> logitRows = matrixOf(logits);
    const std::span<const int> inputs(result.inputs);
    const auto targets = static_cast<std::int64_t>(inputs.size());
    const std::size_t prompt = promptTokens(info.tokens, inputs);
    const bool times = info.tokens.noTimes && inputs[prompt - 1] != *info.tokens.noTimes;
    for (std::int64_t target = 0; target < targets; ++target) {
        result.outputs.push_back(static_cast<int>(likeliest.const_data_ptr<std::int64_t>()[target]));
        const auto row = static_cast<std::size_t>(target);
        const int next = target + 1 < targets ? result.inputs[row + 1] : info.tokens.end;
        const auto text = row < prompt ? std::span<const int>() : inputs.subspan(prompt, row + 1 - prompt);
        const auto behind = logitRows.row(row);
        result.logProbabilities.push_back(
            logProbabilityBehind(info.tokens, text, times, {behind.begin(), behind.end()}, next));
    }
}

} // namespace headroom::models
