// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"
#include "models/networks/speech_model.h"

#include <string>
#include <utility>
#include <vector>

namespace headroom::training {

using NamedTensor = std::pair<std::string, Tensor>;

/// f32 [rows, columns].
Tensor tensorOf(const Matrix<float>& matrix);

/// The arrays of one attention block under the names that leave this program: `prefix` + contributions,
/// contribution_profile, attention_profile, head_relevance and, where they were kept, attention. What does
/// not exist (README.md says for which kinds) or was not kept is left out; a head without an N × N map has a
/// profile of NaN, and its own map as `prefix`head.h.attention. Maps before relaxation:
/// `prefix`head.h.raw_attention, where it acted.
std::vector<NamedTensor> blockArrays(const models::LayerAnalysis& block, const std::string& prefix);
/// `prefix` + rebuild_error and gram_error, f32 scalars.
std::vector<NamedTensor> blockErrors(const models::LayerAnalysis& block, const std::string& prefix);

/// Those of an encoder layer, "layer.l.…".
std::vector<NamedTensor> layerArrays(const models::LayerAnalysis& layer);
/// layer.l.rebuild_error and layer.l.gram_error; the protocol carries them in the `layer` notification.
std::vector<NamedTensor> layerErrors(const models::LayerAnalysis& layer);
/// Those of both blocks of a decoder layer with their errors, "decoder.layer.l.self.…" and "….cross.…".
std::vector<NamedTensor> decoderArrays(const models::DecoderLayerAnalysis& layer);
/// decoder.inputs and decoder.outputs, i64 [targets].
std::vector<NamedTensor> decoderTokens(const models::DecoderAnalysis& analysis);

/// f64 [tokens]: the centre of each token's receptive field, on the recording's axis.
Tensor tokenSeconds(const TokenClock& clock, std::int64_t tokens, Seconds start);

/// {layer, D1, CCD, rebuildError, gramError, reason}; a number that is not defined is null, and so is the
/// reason where there are contributions.
nlohmann::json layerSummary(const models::LayerAnalysis& layer);
/// {layer, self: {D1, CCD, rebuildError, gramError, reason}, cross: {residual, rebuildError, gramError,
/// reason}}; `residual`: the mean share of the residual's column.
nlohmann::json decoderSummary(const models::DecoderLayerAnalysis& layer);

} // namespace headroom::training
