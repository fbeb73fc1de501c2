// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/parameters.h"

namespace headroom::training {

/// Lets the encoder learn, or not: without `learns` its tensors require no gradient, and none is computed.
void setEncoderLearns(const models::Parameters& parameters, bool learns);

} // namespace headroom::training
