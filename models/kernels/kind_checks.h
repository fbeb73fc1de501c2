// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/checks.h"

#include <vector>

namespace headroom::models {

/// Compares banded.h, forward and backward, with banded_reference.h.
std::vector<CheckRow> checkBanded();

/// Compares every kind of attention with kinds_reference.h: a whole block in training with padding, forward
/// and backward (gradients of the input and every weight), in float32, float64, and bfloat16 under autocast.
std::vector<CheckRow> checkKinds();

} // namespace headroom::models
