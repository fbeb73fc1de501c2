// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"

namespace at {
class Tensor;
}

/// Converts scores to the weights that multiply the values. Everything acts on the last dimension, the keys.
/// `hidden`: keys that a query cannot see, bool, broadcastable; undefined: none. Hidden keys get exactly 0. A
/// row without a visible key is zeros (while gradients are recorded, a dense one may be uniform; it is
/// padding).
namespace headroom::models {

/// Softmax, or the group's modifier: smoothed focus σ(e) / (Σ σ(e) + 10⁻⁹), or weak-attention suppression.
/// Overwrites `scores`.
at::Tensor weigh(at::Tensor scores, const at::Tensor& hidden, const HeadGroup& kind);

/// The same for scores in a band (banded.h), which have −∞ in slots without a key.
at::Tensor weighBand(const at::Tensor& scores, const at::Tensor& hidden, const HeadGroup& kind);

/// The weights removed by weak-attention suppression (Shim et al. 2022, §3.3, after Shi et al. 2020): those
/// below θ = 1/n − γ · s, with n visible keys and s their standard deviation with n − 1. The difference must
/// exceed rounding (10⁻⁶/n), so that a uniform row keeps all. The largest weight of a row always stays. Bool,
/// shaped like `weights`; no gradient.
at::Tensor suppressed(const at::Tensor& weights, const at::Tensor& hidden, double gamma);

/// Relaxed attention (Lohrenz et al. 2022, Eq. 4): (1 − γ) A + γ/T over the T visible keys; rows still sum to
/// 1.
at::Tensor relaxed(const at::Tensor& weights, const at::Tensor& hidden, double gamma);

} // namespace headroom::models
