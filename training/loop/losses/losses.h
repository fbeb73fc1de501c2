// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

namespace headroom::training {

/// Sums over target tokens, in nats.
struct CrossEntropy {
    double lossSum = 0, nllSum = 0;
    std::int64_t tokens = 0;
};

/// Label-smoothed cross entropy as in fairseq: (1 − ε − ε_i) nll + ε_i Σ_v(−log p_v), ε_i = ε/(V − 1), summed
/// over the labels that are not `ignored` (<pad>). `logits` [batch, target, vocabulary], `labels` int64 [batch, target].
/// Returns the sum as a zero-dimensional tensor; `values` receives the numbers.
at::Tensor labelSmoothedLoss(const at::Tensor& logits, const at::Tensor& labels, double smoothing,
                             CrossEntropy& values, std::int64_t ignored = 1);
/// The same on any device, without reading a number of it: `nll` receives the sum without smoothing, `tokens` the number of
/// labels. `labels` are on the CPU. With `unigram`, a probability u_v for each of the vocabulary, it is Espresso's
/// (1 − ε) nll + ε Σ_v u_v (−log p_v) (Pereyra et al. 2017, §3.2) instead.
at::Tensor labelSmoothedLoss(const at::Tensor& logits, const at::Tensor& labels, double smoothing, at::Tensor& nll,
                             std::int64_t& tokens, std::int64_t ignored = 1,
                             const std::vector<double>* unigram = nullptr);

/// CTC summed over the batch; `blank`: 0 for SentencePiece (<s>, which occurs in no text). A text that does not fit its recording
/// counts 0. `logits` [batch, token, vocabulary].
at::Tensor ctcLoss(const at::Tensor& logits, const std::vector<std::int64_t>& tokens,
                   const std::vector<std::vector<int>>& targets, int blank = 0);

} // namespace headroom::training
