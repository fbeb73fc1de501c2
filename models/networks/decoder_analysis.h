// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/model_info.h"
#include "models/contributions/layer_analysis.h"
#include "models/layers/parameters.h"
#include "models/networks/speech_model.h"

#include <functional>
#include <memory>
#include <vector>

namespace headroom::models {

class LayerMixing;

/// What a decoder reads, and the rollouts of the encoder that its measures of mixing continue.
struct DecoderMemory {
    at::Tensor output;                     ///< the encoder's [1, token, width]
    std::unique_ptr<LayerMixing> rollouts; ///< null: no rollout was asked for
};

/// Encodes `features` [1, frame, feature] for analyseDecoderLayers().
DecoderMemory decoderMemory(const Parameters& parameters, const ModelInfo& info, const at::Tensor& features,
                            const MixingOptions& mixing, const CancelFlag* cancel);

/// Runs the decoder on `inputs` and hands each layer that `options` wants to `onLayer`, in order. `ownTokens`: of the
/// recording in a fixed window; 0: all. Returns the logits [target, vocabulary]. Throws Cancelled.
at::Tensor analyseDecoderLayers(const Parameters& parameters, const ModelInfo& info, const DecoderMemory& memory,
                                std::int64_t ownTokens, const std::vector<int>& inputs,
                                const AnalysisOptions& options,
                                const std::function<void(DecoderLayerAnalysis&&)>& onLayer,
                                const CancelFlag* cancel);

/// Fills in what the decoder says behind each of the `result`'s inputs. `logits`: [target, vocabulary].
void readLogits(const ModelInfo& info, const at::Tensor& logits, DecoderAnalysis& result);

/// Whether a layer is to be explained. Throws Cancelled if `cancel` is set.
bool wantsLayer(const AnalysisOptions& options, int layer, const CancelFlag* cancel);
/// Throws Error "model.noSuchLayer" if `options` asks for a layer beyond `layers`.
void checkLayers(const ModelInfo& info, const AnalysisOptions& options, int layers);
/// The last layer that is to be explained, of `layers`.
int lastWantedLayer(const AnalysisOptions& options, int layers);

} // namespace headroom::models
