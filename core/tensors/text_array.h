// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensors/tensor.h"

#include <string>
#include <vector>

namespace headroom {

/// Returns texts as an array of numbers, which .npy holds without Python objects: u8 [texts, longest], each row the UTF-8
/// of a text, filled up with zeros. In NumPy: `array.view("S%d" % array.shape[1])[:, 0]`.
Tensor textArray(const std::vector<std::string>& texts);

/// Returns the texts of such an array. Throws std::invalid_argument for one that is not u8 of two dimensions.
std::vector<std::string> arrayTexts(const TensorView& array);

} // namespace headroom
