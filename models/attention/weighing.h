// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/head_groups.h"

namespace at {
class Tensor;
}

/// From scores to the weights that are multiplied with the values. Everything acts on the last dimension, the
/// keys, whatever stands before it. `hidden`: keys that a query cannot see, bool, broadcastable; undefined:
/// none. Hidden keys get exactly 0; a row without a visible key is zeros (while gradients are recorded a
/// dense one may be uniform: padding, which nothing reads).
namespace headroom::models {

/// Softmax, or what the group's modifiers make of it: smoothed focus σ(e) / (Σ σ(e) + 10⁻⁹), or
/// weak-attention suppression. `scores` is overwritten.
at::Tensor weigh(at::Tensor scores, const at::Tensor& hidden, const HeadGroup& kind);

/// The same for scores in a band (banded.h), which hold −∞ where a slot has no key.
at::Tensor weighBand(const at::Tensor& scores, const at::Tensor& hidden, const HeadGroup& kind);

/// Weights that weak-attention suppression cuts (Shim et al. 2022, §3.3, after Shi et al. 2020): below θ =
/// 1/n − γ · s, n visible keys, s their standard deviation with n − 1. By more than rounding (10⁻⁶/n), so
/// that a uniform row keeps all. The row's largest weight always stays. Bool, as `weights`; no gradient.
at::Tensor suppressed(const at::Tensor& weights, const at::Tensor& hidden, double gamma);

/// Relaxed attention (Lohrenz et al. 2022, Eq. 4): (1 − γ) A + γ/T on the T keys that a query may see; rows
/// still sum to 1.
at::Tensor relaxed(const at::Tensor& weights, const at::Tensor& hidden, double gamma);

} // namespace headroom::models
