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

/// The arrays of one layer under the names that leave this program: layer.l.contributions,
/// .contribution_profile, .attention_profile, .head_relevance and, where it was kept, .attention. Maps that
/// were not kept are left out; a head without an N × N map has a profile of NaN, and its own map as
/// layer.l.head.h.attention. The list is README.md's.
std::vector<NamedTensor> layerArrays(const models::LayerAnalysis& layer);

/// layer.l.rebuild_error and layer.l.gram_error, f32 scalars; the protocol carries them in the `layer`
/// notification.
std::vector<NamedTensor> layerErrors(const models::LayerAnalysis& layer);

/// f64 [tokens]: the centre of each token's receptive field, on the recording's axis.
Tensor tokenSeconds(const TokenClock& clock, std::int64_t tokens, Seconds start);

/// {layer, D1, CCD, rebuildError, gramError}; a number that is not defined is null.
nlohmann::json layerSummary(const models::LayerAnalysis& layer);

} // namespace headroom::training
