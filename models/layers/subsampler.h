// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/dropout.h"
#include "models/layers/parameters.h"

#include <cstdint>
#include <vector>

namespace headroom::models {

/// How padding of a batch affects its recordings.
enum class Padding {
    Safe, ///< padded frames are zeroed before every convolution: the result of a recording does not depend on
           ///< its batch
    AsReference ///< as fairseq and Hugging Face: the second convolution reads what the first computed from
                 ///< padding
};

/// A front end of the document: core/architecture/README.md.
using SubsamplerShape = Architecture::FrontEnd;

/// The length after a convolution of a front end, ⌊(L + 2p − k)/s⌋ + 1; 0 if the kernel does not fit.
std::int64_t convolvedLength(std::int64_t length, const SubsamplerShape& shape, std::size_t convolution);

/// Returns the tokens that are computed for `frames` frames, convolvedLength of each convolution: those of the
/// whole window of a model that has one.
std::int64_t subsampledLength(const SubsamplerShape& shape, std::int64_t frames);

/// The front end: per convolution (padding ⌊k/2⌋, or none) optional BatchNorm, then GLU over the channels or ReLU.
/// - conv1d: along time, channels are the vector (S2T: k 5, s 2, GLU; Shim et al. 2022: k 3, s 2, ReLU,
///   BatchNorm). Its optional projection follows scale and positions, which the encoder adds.
/// - conv2d: over time and features, planes × features flattened plane by plane and projected to the width
///   (Espresso's, used by Lohrenz et al. 2022).
///
/// - depthwise2d: the same with one number of planes; after the first, each convolution is depthwise and
/// followed by
///   a pointwise one (FastConformer, Rekesh et al. 2023).
///
/// `features` [batch, frame, feature] are zero beyond each of `frames`; `scope` has conv_layers.n, norms.n,
/// pointwise.n, projection. Returns [batch, token, width]; rows beyond a recording's own tokens are undefined
/// (depthwise2d: the bias of the linear layer, as in the original).
at::Tensor subsample(const Scope& scope, const SubsamplerShape& shape, const at::Tensor& features,
                     const std::vector<std::int64_t>& frames, Padding padding, const Dropout& dropout = {});

/// The front end of wav2vec2-BERT: LayerNorm and a linear layer of each row of features; rows beyond each of
/// `frames` are zeros. `scope` has projection_norm and projection. Returns [batch, frame, width].
at::Tensor linearFrontEnd(const Scope& scope, const at::Tensor& features,
                          const std::vector<std::int64_t>& frames, double epsilon);

} // namespace headroom::models
