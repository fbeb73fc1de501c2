// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/model_info.h"
#include "models/contributions/cancel.h"
#include "models/layers/parameters.h"
#include "models/networks/written_text.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headroom::models {

/// Decodes greedily on the encoder's output `memory` [1, token, width] by the rules of the model's tokens. If the
/// language is neither requested nor set, the decoder is asked for it first. `startSeconds` stays empty. Throws
/// as TokenRules::prompt, and Cancelled.
WrittenText writeText(const Parameters& parameters, const ModelInfo& info, const at::Tensor& memory,
                      const TextRequest& request, const CancelFlag* cancel = nullptr);

/// How many of what a decoder reads are the prompt: the start, and behind it language, task and <|notimestamps|>.
std::size_t promptTokens(const TokenRules& rules, std::span<const int> inputs);

/// ln P of `next` behind `text`, the ids after the prompt: among the tokens that the rules allow there, and `next` itself, which
/// a given text may have where the rules forbid it. `logits`: of the whole vocabulary.
double logProbabilityBehind(const TokenRules& rules, std::span<const int> text, bool times, std::vector<float> logits,
                            int next);

/// Where each id of `text` but the last begins, in seconds, from the cross-attention of the alignment heads to the
/// first `keys` tokens. Empty if the model names no such heads, or if the text has fewer than two ids.
std::vector<double> startsOfTokens(const Parameters& parameters, const ModelInfo& info, const at::Tensor& memory,
                                   const WrittenText& text, std::int64_t keys);

} // namespace headroom::models
