// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/kernels/checks.h"

#include <vector>

namespace headroom::models {

/// banded.h forward and backward against banded_reference.h.
std::vector<CheckRow> checkBanded();

/// Every kind of attention, as a whole block in training with padding, forward and backward (the input's
/// gradient and every weight's), against kinds_reference.h: float32, float64, and bfloat16 under autocast.
std::vector<CheckRow> checkKinds();

} // namespace headroom::models
