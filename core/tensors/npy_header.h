// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// Returns everything before the data of a .npy file (format 1.0). Throws std::invalid_argument for bfloat16.
std::string npyHeader(const TensorView& tensor);

/// What the header of a .npy says.
struct NpyLayout {
    DType dtype = DType::F32;
    std::vector<std::int64_t> shape;
    bool fortran = false;   ///< the first index runs fastest
    std::size_t start = 0;  ///< of the data
};
/// Parses the header. `bytes` may end behind it. Throws as parseNpy.
NpyLayout npyLayout(std::span<const std::byte> bytes, const std::string& name);

} // namespace headroom
