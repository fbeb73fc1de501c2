// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/layers/numbers.h"

#include <ATen/core/Tensor.h>

namespace headroom::models {

std::vector<float> floatsOf(const at::Tensor& tensor) {
    const at::Tensor here = tensor.detach().to(at::kCPU, at::kFloat).contiguous();
    const auto* data = here.const_data_ptr<float>();
    return {data, data + here.numel()};
}

Matrix<float> matrixOf(const at::Tensor& tensor) {
    return {static_cast<std::size_t>(tensor.size(0)), static_cast<std::size_t>(tensor.size(1)), floatsOf(tensor)};
}

} // namespace headroom::models
