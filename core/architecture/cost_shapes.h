// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <cstdint>

namespace headroom {

using Count = std::int64_t;

/// One convolution of a front end, for counting. Along time; also along features if `planes`.
struct FrontConvolution {
    Count in, out, kernel, stride;
    bool planes;
    Count featuresOut; ///< 1 for conv1d and a waveform
    bool norm;
    Count padding = 0; ///< on each side
    Count weights() const { return in * out * kernel * (planes ? kernel : 1); }
    Count lengthOf(Count length) const {
        return length + 2 * padding < kernel ? 0 : (length + 2 * padding - kernel) / stride + 1;
    }
};
std::vector<FrontConvolution> frontConvolutions(const Architecture& architecture);
/// Returns the number of inputs of the linear layer after the convolutions; 0 if there is none.
Count projectionInputs(const Architecture& architecture);
/// The tokens that a front end makes of `rows` rows along time: those of all bands, and the class tokens.
Count tokensOf(const Architecture::FrontEnd& frontEnd, Count rows);

/// Returns the layer a map comes from: the layer itself, or the one it reuses. From 0.
const Architecture::Layer& mapsOf(const Architecture::Encoder& encoder, std::size_t layer);
bool reusesMap(const Architecture::Layer& layer);
/// Throws "architecture.kindNotBuilt" if layers cannot be combined.
void checkCountable(const Architecture& architecture);

/// What the queries of a group see, and what its kernel keeps, for `tokens` queries and as many keys, per
/// head (models/attention).
struct GroupKeys {
    Count visible = 0; ///< visible pairs of query and key
    Count stored = 0;  ///< numbers of the map in the kernel's layout
    bool band = false; ///< computed by the banded kernel
    Count offsets = 0; ///< rows of its table of relative positions
    Count keys = 0;    ///< fewer than tokens if compressed
    Count padded = 0;  ///< conv: tokens including zero padding, as the convolution reads them
};
GroupKeys groupKeys(const HeadGroup& group, Count tokens);
/// Whether a pass that nobody observes goes through ATen's fused kernel for this group of a layer (from 0) and stores
/// no map (models/attention/README.md). `dropout`: of the attention weights, while training.
bool fusesMap(const Architecture::Encoder& encoder, std::size_t layer, const HeadGroup& group, Count tokens,
              bool dropout);
/// The same for heads whose scores have no positions and whose maps nobody reuses: those of decoders.
bool fusesMap(const HeadGroup& group, Count tokens, bool dropout);

/// Numbers that a training step keeps for a layer between forward and backward pass, and bytes of masks.
struct Kept {
    Count floats = 0, bytes = 0;
    Count all() const { return floats * Count(sizeof(float)) + bytes; }
};
/// For one recording of `tokens` tokens.
Kept keptByLayer(const Architecture::Encoder& encoder, std::size_t layer, Count tokens);
Kept keptByFrontEnd(const Architecture& architecture, Count frames);
Kept keptByLanguageModelLayer(const Architecture::LanguageModel& model, std::size_t layer, Count tokens);

} // namespace headroom
