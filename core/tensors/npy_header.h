// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <string>

namespace headroom {

/// Returns everything before the data of a .npy file (format 1.0). Throws std::invalid_argument for bfloat16.
std::string npyHeader(const TensorView& tensor);

} // namespace headroom
