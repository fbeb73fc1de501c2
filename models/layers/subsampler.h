// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/dropout.h"
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

/// A front end, as the document has it: core/architecture/README.md.
using SubsamplerShape = Architecture::FrontEnd;

/// ⌊(L + 2⌊k/2⌋ − k)/s⌋ + 1.
std::int64_t convolvedLength(std::int64_t length, int kernel, int stride);

/// Tokens of so many frames: convolvedLength of each convolution.
std::int64_t subsampledLength(const SubsamplerShape& shape, std::int64_t frames);

/// The front end: per convolution (padding ⌊k/2⌋) BatchNorm where the document says so, then GLU over the
/// channels or ReLU. conv1d: along time, channels are the vector (S2T: k 5, s 2, GLU; Shim et al. 2022: k 3,
/// s 2, ReLU, BatchNorm); its projection, where it has one, belongs behind scale and positions, which the
/// encoder adds. conv2d: over time and features, planes × features flattened, plane by plane, and projected
/// to the width (Espresso's, behind Lohrenz et al. 2022).
///
/// `features` [batch, frame, feature] are zero beyond each of `frames`; `scope` holds conv_layers.n, norms.n,
/// projection. Returns [batch, token, width]; rows beyond a recording's own tokens mean nothing.
at::Tensor subsample(const Scope& scope, const SubsamplerShape& shape, const at::Tensor& features,
                     const std::vector<std::int64_t>& frames, Padding padding, bool training = false);

} // namespace headroom::models
