// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/gradients.h"

#include <torch/csrc/autograd/autograd.h>

namespace headroom::models {

std::vector<at::Tensor> gradients(const at::Tensor& out, const std::vector<at::Tensor>& inputs,
                                  const at::Tensor& gradOut) {
    return torch::autograd::grad({out}, inputs, {gradOut});
}

} // namespace headroom::models
