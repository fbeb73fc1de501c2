// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "app/documents/items/open_model.h"
#include "app/jobs/worker_process.h"

namespace headroom::app {

// The worker's answers as values of the document. A worker is a program of ours, but it may be another
// version, on another machine, or damaged: every field and every shape is checked. All throw Error
// "worker.badAnswer" that says what is wrong, unless another thing is said. Pure; readLayer() is run off the window's thread.

/// Of `openModel`: the result. `folder` stands in the sentences.
ModelDescription readModelDescription(const nlohmann::json& result, const QString& folder);

/// The worker's handle of a model.
protocol::ModelHandle modelHandle(const nlohmann::json& result);

/// Of `analyse`: the result.
protocol::AnalyseResult readAnalyseResult(const nlohmann::json& result);

/// Of `transcribe`: the text. Returns nullopt where the answer has none; never throws.
std::optional<QString> transcriptOf(const nlohmann::json& result);

/// Of `layer`: its values and arrays. `attention` where it was asked for; a thumbnail at the size of its map. `kinds`: the model's layer, which
/// places the keys that a convolution shortened; may be null where no head does.
LayerResult readLayer(const nlohmann::json& values, NamedTensors arrays,
                      const Architecture::Layer* kinds = nullptr);

/// Of `layer`, where one measure of mixing was asked for. The profile is computed here. Throws where it is not what
/// was asked for.
MixedMap readMixedMap(const nlohmann::json& values, NamedTensors arrays, const std::string& name);

/// Of `words`: the result and its arrays. `clock`: of the encoder's tokens in the recording's time; `start`: of the
/// samples that were sent.
SpokenWords readWords(const nlohmann::json& result, NamedTensors arrays, const TokenClock& clock, Seconds start);

/// Of `wordMixing`: the result and its arrays, of the pieces of `words`. `checked`: with the checks. `asked` and `stopped`
/// stay empty.
DecoderLayerState readWordMixing(const nlohmann::json& result, NamedTensors arrays, const SpokenWords& words, WordsBlock block,
                                 bool checked);

/// The number of the layer of a `layer` notification; 0 where there is none.
int layerNumber(const nlohmann::json& values);

} // namespace headroom::app
