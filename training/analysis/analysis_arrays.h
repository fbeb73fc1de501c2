// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/protocol/messages.h"
#include "core/tensors/tensor.h"
#include "core/time/clocks.h"
#include "models/networks/speech_model.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <utility>
#include <vector>

namespace headroom::training {

using NamedTensor = std::pair<std::string, Tensor>;

/// f32 [rows, columns].
Tensor tensorOf(const Matrix<float>& matrix);

/// Returns the arrays of one attention block under their public names: `prefix` + contributions,
/// contribution_profile, attention_profile, head_relevance and, if kept, attention.
/// - Arrays that do not exist (README.md lists the kinds) or were not kept are left out.
/// - A head without an N × N map has a profile of NaN, and its map as `prefix`head.h.attention.
/// - Maps before relaxation: `prefix`head.h.raw_attention, if relaxed.
/// - `cross`: the block is cross-attention, whose maps all have one shape.
std::vector<NamedTensor> blockArrays(const models::LayerAnalysis& block, const std::string& prefix, bool cross = false);
/// `prefix` + rebuild_error and gram_error, f32 scalars.
std::vector<NamedTensor> blockErrors(const models::LayerAnalysis& block, const std::string& prefix);

/// The arrays of an encoder layer, "layer.l.…", with its states if they were kept, and those of other measures,
/// "layer.l.mixing.NAME".
std::vector<NamedTensor> layerArrays(const models::LayerAnalysis& layer);
/// layer.l.rebuild_error and layer.l.gram_error; the protocol carries them in the `layer` notification.
std::vector<NamedTensor> layerErrors(const models::LayerAnalysis& layer);
/// The arrays of both blocks of a decoder layer with their errors and other measures, "decoder.layer.l.self.…" and
/// "….cross.…".
std::vector<NamedTensor> decoderArrays(const models::DecoderLayerAnalysis& layer);
/// decoder.inputs and decoder.outputs, i64 [targets].
std::vector<NamedTensor> decoderTokens(const models::DecoderAnalysis& analysis);

/// f64 [tokens]: the centre of each token's receptive field, on the recording's axis.
Tensor tokenSeconds(const TokenClock& clock, std::int64_t tokens, Seconds start);

/// The message of `serve` for a layer that is ready, without its request.
protocol::LayerReady layerReady(const models::LayerAnalysis& layer);
/// The same for summary.json: {layer, D1, CCD, rebuildError, gramError, reason}; undefined numbers are null,
/// and so is the reason if there are contributions. Where measures of mixing were asked for, also {mixing: {NAME:
/// why the layer has none, or null}}.
nlohmann::json layerSummary(const models::LayerAnalysis& layer);
/// {layer, self: {D1, CCD, rebuildError, gramError, reason}, cross: {residual, rebuildError, gramError,
/// reason}}; `residual`: the mean share of the residual column.
nlohmann::json decoderSummary(const models::DecoderLayerAnalysis& layer);

} // namespace headroom::training
