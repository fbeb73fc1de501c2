// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace at {
class Tensor;
}

namespace headroom::models {

/// The gradients of Σ out · gradOut with respect to each of `inputs`, which `out` was computed from; the graph is gone
/// afterwards. Here because autograd.h takes a compiler ten seconds to read.
std::vector<at::Tensor> gradients(const at::Tensor& out, const std::vector<at::Tensor>& inputs,
                                  const at::Tensor& gradOut);

} // namespace headroom::models
