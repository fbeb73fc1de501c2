// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

namespace headroom::training {

/// Σ over the tokens that are not `padding` of the divergence of two predictions, in nats. `one`, `other`: logits
/// [batch, target, vocabulary]; `labels` int64 [batch, target]. Zero-dimensional; gradients flow into both.

/// Token cutoff (Shen et al. 2020 and their code): ½ KL(m ‖ p) + ½ KL(m ‖ q), where m is the softmax of the
/// mean logits.
at::Tensor cutoffDivergence(const at::Tensor& one, const at::Tensor& other, const at::Tensor& labels,
                            int padding = 1);
/// R-Drop (Liang et al. 2021, Eq. 2): ½ KL(p ‖ q) + ½ KL(q ‖ p).
at::Tensor rDropDivergence(const at::Tensor& one, const at::Tensor& other, const at::Tensor& labels,
                            int padding = 1);

/// Replaces each id by <unk> (3, as in every vocabulary of a decoder) with probability `share`, but no </s>
/// and no <pad>. Draws from torch's generator.
void cutTokens(std::vector<int>& ids, double share);

} // namespace headroom::training
