// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <vector>

namespace at {
class Tensor;
}

namespace headroom::models {

// Copies of tensors of any device, floating type and stride, as core takes them. Any thread; they wait for the device.

/// [row, column] → its numbers.
Matrix<float> matrixOf(const at::Tensor& tensor);
/// The numbers of any shape, row by row.
std::vector<float> floatsOf(const at::Tensor& tensor);

} // namespace headroom::models
