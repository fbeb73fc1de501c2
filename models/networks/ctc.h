// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// The blank of a CTC output over SentencePiece's pieces: <s>, which occurs in no text. Others name theirs in
/// the document (“ctcBlank”).
inline constexpr int kCtcBlank = 0;

/// Logits [batch, token′, ctc] over the encoder's output `memory` [batch, token, width], from ctc.weight and
/// ctc.bias behind what stands before the output (length_adapter.h). `lengths`: tokens of each recording;
/// empty: all.
at::Tensor ctcLogits(const Parameters& parameters, const Architecture& architecture, const at::Tensor& memory,
                     const std::vector<std::int64_t>& lengths = {});

/// The tokens of the CTC output that each of `lengths` tokens of the encoder makes.
std::vector<std::int64_t> ctcLengths(const Architecture& architecture, std::vector<std::int64_t> lengths);

/// Returns the best path of each recording: the best label of every token (the first of equals), repetitions
/// merged, blanks removed. `lengths`: tokens of each recording; empty: all.
std::vector<std::vector<int>> ctcGreedy(const at::Tensor& logits, const std::vector<std::int64_t>& lengths,
                                        int blank = kCtcBlank);

/// The best path of one recording as ctcGreedy() has it, and its ln P. Each label has the part of the tokens from its
/// first up to the next label's; the first label also has that of the blanks before it.
struct BestPath {
    std::vector<int> ids;
    double sum = 0;
    std::vector<double> logProbabilities; ///< of each id; they add up to the sum
};
/// `logits`: [token, ctc].
BestPath ctcBestPath(const at::Tensor& logits, int blank = kCtcBlank);
/// Of each recording; arguments as of ctcGreedy().
std::vector<BestPath> ctcBestPaths(const at::Tensor& logits, const std::vector<std::int64_t>& lengths, int blank = kCtcBlank);

} // namespace headroom::models
