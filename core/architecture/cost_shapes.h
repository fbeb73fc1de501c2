// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <cstdint>

namespace headroom {

using Count = std::int64_t;

/// One convolution of a front end, as it is counted. Along time, and along features where `planes`.
struct FrontConvolution {
    Count in, out, kernel, stride;
    bool planes;
    Count featuresOut; ///< 1 for conv1d
    bool norm;
    Count weights() const { return in * out * kernel * (planes ? kernel : 1); }
    Count parameters() const { return weights() + out + (norm ? 2 * out : 0); }
    Count lengthOf(Count length) const { return (length + 2 * (kernel / 2) - kernel) / stride + 1; }
};
std::vector<FrontConvolution> frontConvolutions(const Architecture& architecture);
/// Inputs of the linear layer behind the convolutions; 0: there is none.
Count projectionInputs(const Architecture& architecture);

/// Parameters of in → out.
inline Count linearCount(Count in, Count out, bool bias = true) {
    return in * out + (bias ? out : 0);
}
/// Where a layer's maps come from: its own heads, or those of the layer it reuses. From 0.
const Architecture::Layer& mapsOf(const Architecture::Encoder& encoder, std::size_t layer);
bool reusesMap(const Architecture::Layer& layer);
/// Parameters of one encoder layer, by part.
struct LayerParameters {
    Count attention = 0, feedForward = 0, convolution = 0, norms = 0;
    Count all() const { return attention + feedForward + convolution + norms; }
};
LayerParameters layerParameters(const Architecture::Encoder& encoder, std::size_t layer);
/// Throws "architecture.kindNotBuilt" where layers do not fit together.
void checkCountable(const Architecture& architecture);

/// What the queries of a group see, and what its kernel keeps, for `tokens` queries and as many keys, per
/// head (models/attention).
struct GroupKeys {
    Count visible = 0; ///< pairs of a query and a key that it may see
    Count stored = 0;  ///< numbers of the map as the kernel has it
    bool band = false; ///< through the banded kernel
    Count offsets = 0; ///< rows of its table of relative positions
    Count keys = 0;    ///< fewer than tokens where they are compressed
    Count padded = 0;  ///< conv: tokens with zeros around them, as the convolution reads them
};
GroupKeys groupKeys(const HeadGroup& group, Count tokens);

/// Numbers that a training step keeps of a layer between forward and backward pass, and bytes of masks.
struct Kept {
    Count floats = 0, bytes = 0;
    Count all() const { return floats * Count(sizeof(float)) + bytes; }
};
/// One recording of so many tokens.
Kept keptByLayer(const Architecture::Encoder& encoder, std::size_t layer, Count tokens);
Kept keptByFrontEnd(const Architecture& architecture, Count frames);
Kept keptByLanguageModelLayer(const Architecture::LanguageModel& model, Count tokens);

} // namespace headroom
