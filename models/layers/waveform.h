// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// The front end of wav2vec 2.0 and its kin (Baevski et al. 2020, §2): unpadded convolutions over samples, each
/// with its norm and activation, then LayerNorm (if the document has one) and a linear layer to the width.
///
/// `samples` [batch, sample, 1], zero beyond each of `lengths`. `scope` has conv_layers.n, norms.n,
/// projection_norm, projection. ε of the convolutions' norms is 1e-5, of projection_norm `epsilon`. GroupNorm
/// takes mean and variance over a recording's own outputs, so the result does not depend on its batch. Returns
/// [batch, token, width]; rows beyond a recording's own tokens are undefined.
at::Tensor waveformFrontEnd(const Scope& scope, const Architecture::FrontEnd& shape, const at::Tensor& samples,
                            const std::vector<std::int64_t>& lengths, double epsilon);

/// The outputs of the last convolution alone, after its activation: [batch, token, channel].
at::Tensor waveformConvolutions(const Scope& scope, const Architecture::FrontEnd& shape,
                                const at::Tensor& samples, const std::vector<std::int64_t>& lengths);

} // namespace headroom::models
