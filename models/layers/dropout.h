// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <vector>

namespace at {
class Tensor;
}

namespace headroom::models {

struct SharedStatistics;

/// Dropout during training: zeroes a share of the values and scales up the rest. Each mask takes one key from
/// torch's default generator; key and position decide which values are zeroed, so the mask does not depend on
/// the number of threads, and the backward pass regenerates it instead of keeping it. `training` is set
/// whenever the model is being trained, even if both shares are 0. The default is inference: every function
/// returns its input unchanged.
struct Dropout {
    double hidden = 0;     ///< of embeddings and block outputs
    double attention = 0;  ///< of the attention map after its softmax
    bool training = false; ///< maps are relaxed; BatchNorm uses and updates the batch's statistics
    std::vector<double>* drawn = nullptr; ///< receives each γ sampled by fuzzy relaxation
    const SharedStatistics* statistics = nullptr; ///< of BatchNorm over several processes (batch_norm.h)
    std::optional<double> activation{}; ///< of the inner layer of the feed-forward; unset: as hidden
    double relaxation = 1; ///< × γ of relaxed attention, in training: its warm-up
    double inner() const { return activation.value_or(hidden); }
};

/// Returns x with a share of zeros; x itself, not a copy, if the share is 0.
at::Tensor dropped(const at::Tensor& x, double share);

/// Computes dropped(relu(fresh), share) in place. `fresh` must not be shared, a view, or needed for its own
/// gradient (the output of a linear layer).
at::Tensor reluDropped(at::Tensor fresh, double share);

/// Returns fresh + x and may overwrite `fresh`, which must not be shared. If precisions differ (autocast),
/// the sum has the wider one, so that the residual stream keeps it.
at::Tensor addResidual(at::Tensor fresh, const at::Tensor& x);

/// Returns addResidual(dropped(fresh, share), x) in one pass; equal shapes.
at::Tensor addDropped(at::Tensor fresh, const at::Tensor& x, double share);

} // namespace headroom::models
