// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <functional>

namespace at {
class Tensor;
}

namespace headroom::models {

/// What a layer computes behind an attention block, for observers that need its output for another output
/// of the block (value zeroing). Valid while the observer runs.
struct RestOfLayer {
    /// Takes x + attention before a post-norm LayerNorm, [batch, token, width], any batch. Returns the output of
    /// the layer, [batch, token, width]; of the last layer, after the final LayerNorm. Empty: unknown.
    std::function<at::Tensor(const at::Tensor& attended)> compute;
    /// No token reads another token behind the attention (no convolution module), so that `compute` may be given
    /// some of the tokens only.
    bool tokenwise = false;
};

} // namespace headroom::models
