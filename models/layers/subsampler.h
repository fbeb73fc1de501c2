// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// What a batch's padding may do to its recordings.
enum class Padding {
    Safe, ///< padded frames are zero again before every convolution: a recording's result does not depend on
          ///< its batch
    AsReference ///< as fairseq and Hugging Face: the second convolution reads what the first made of the
                ///< padding
};

/// Shape of the front end's convolutions, one entry each.
struct SubsamplerShape {
    std::vector<int> kernels, strides;
};

/// ⌊(L + 2⌊k/2⌋ − k)/s⌋ + 1 per convolution.
std::int64_t subsampledLength(const SubsamplerShape& shape, std::int64_t frames);

/// The S2T front end: per convolution Conv1d (padding ⌊k/2⌋) and GLU over the channels, nothing else.
/// `features` [batch, frame, feature] are zero beyond each of `frames`; `scope` holds conv_layers.0, .1 ….
/// Returns [batch, token, width]; rows beyond a recording's own tokens mean nothing.
at::Tensor subsample(const Scope& scope, const SubsamplerShape& shape, const at::Tensor& features,
                     const std::vector<std::int64_t>& frames, Padding padding);

} // namespace headroom::models
