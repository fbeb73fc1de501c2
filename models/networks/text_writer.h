// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/model_info.h"
#include "models/contributions/cancel.h"
#include "models/layers/parameters.h"
#include "models/networks/written_text.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// Decodes greedily on the encoder's output `memory` [1, token, width] by the rules of the model's tokens. If the
/// language is neither requested nor set, the decoder is asked for it first. `startSeconds` stays empty. Throws
/// as TokenRules::prompt, and Cancelled.
WrittenText writeText(const Parameters& parameters, const ModelInfo& info, const at::Tensor& memory,
                      const TextRequest& request, const CancelFlag* cancel = nullptr);

/// Where each id of `text` but the last begins, in seconds, from the cross-attention of the alignment heads to the
/// first `keys` tokens. Empty if the model names no such heads, or if the text has fewer than two ids.
std::vector<double> startsOfTokens(const Parameters& parameters, const ModelInfo& info, const at::Tensor& memory,
                                   const WrittenText& text, std::int64_t keys);

} // namespace headroom::models
