// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace at {
class Tensor;
}

namespace headroom::models {

/// Shares of numbers set to zero while a model is trained; what stays is scaled up. Drawn from torch's
/// default generator, one key for each mask: which numbers fall follows from key and place, not from how many
/// threads draw, and so the way back draws the same mask again instead of keeping it. `training` says that
/// the model is being trained, also where both shares are 0. The default, none, is inference: every function
/// then returns its input as it is.
struct Dropout {
    double hidden = 0;     ///< of embeddings, of what a block adds, and of the feed-forward's inner layer
    double attention = 0;  ///< of the attention map after its softmax
    bool training = false; ///< maps are relaxed; BatchNorm takes and keeps the batch's statistics
    std::vector<double>* drawn = nullptr; ///< each γ that fuzzy relaxation draws is appended here
};

/// x with a share of zeros; x itself, not a copy, where the share is 0.
at::Tensor dropped(const at::Tensor& x, double share);

/// dropped(relu(fresh), share) in the place of `fresh`, which is nobody else's, no view, and not needed for
/// its own gradient (the output of a linear layer).
at::Tensor reluDropped(at::Tensor fresh, double share);

/// fresh + x, where `fresh` is nobody else's and may be overwritten. In another precision than x (autocast)
/// the sum has the wider one, so that what flows past the blocks keeps it.
at::Tensor addResidual(at::Tensor fresh, const at::Tensor& x);

/// addResidual(dropped(fresh, share), x) in one pass over the numbers; of equal shapes.
at::Tensor addDropped(at::Tensor fresh, const at::Tensor& x, double share);

} // namespace headroom::models
