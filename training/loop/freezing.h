// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/parameters.h"

#include <string_view>

namespace headroom::training {

/// Whether a tensor of this name belongs to the encoder: what `--start-from M:encoder` takes, and what
/// optimiser.freezeEncoderUpdates keeps as it is.
inline bool isOfEncoder(std::string_view name) {
    return name.starts_with("model.encoder.");
}

/// Lets the encoder learn, or not: without `learns` its tensors require no gradient, and none is computed.
void setEncoderLearns(const models::Parameters& parameters, bool learns);

} // namespace headroom::training
