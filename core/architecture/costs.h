// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <cstdint>

namespace headroom {

/// A part of a count, under the name that tables show: "front end", "attention", "feed-forward" …
struct PartCost {
    std::string part;
    std::int64_t count = 0;
    bool operator==(const PartCost&) const = default;
};

/// The parameters of an architecture, counted over the tensors of its network (weight_shapes.h).
struct Costs {
    std::int64_t parameters = 0;        ///< all parameters, tied ones once; a CTC output counts only here
    std::int64_t encoderParameters = 0; ///< front end, layers, final norm
    std::int64_t decoderParameters = 0; ///< embedding, layers, final norm, output; all of a language model
    std::int64_t frontEndParameters = 0; ///< of encoderParameters
    std::vector<PartCost> parts;         ///< the parts of `parameters`, in network order
    std::vector<std::int64_t> layers;    ///< each layer of the encoder or of a language model
    /// The parameters that the published count covers: all, or all except the front end.
    std::int64_t comparableParameters = 0;
};
/// Throws Error "architecture.kindNotBuilt" if layers cannot be combined (layer_rules.h).
Costs parameterCosts(const Architecture& architecture);

/// One encoder layer at a length.
struct LayerCosts {
    std::int64_t macs = 0, attentionMacs = 0, attentionMapBytes = 0, activationBytes = 0;
};

/// Multiply–accumulates and memory of the encoder for `frames` input frames of a single recording, from formulae
/// (core/architecture/README.md). For a language model the frames are its tokens.
struct EncoderCosts {
    std::int64_t frames = 0, tokens = 0;
    std::int64_t macs = 0;              ///< front end, projections, attention, feed-forward, convolutions
    std::int64_t attentionMacs = 0;     ///< scores and A·V only, over the visible keys of each query
    std::int64_t attentionMapBytes = 0; ///< one fp32 number per query and key of all layers' maps: a band if
                                         ///< local, N × N′ if compressed, none if reused
    /// Bytes of fp32 numbers and masks that a training step keeps for the backward pass.
    std::int64_t activationBytes = 0;
    std::vector<PartCost> macParts;
    std::vector<LayerCosts> layers; ///< also of a language model
};
/// `frames` ≥ 1, otherwise std::invalid_argument. Throws like parameterCosts.
EncoderCosts encoderCosts(const Architecture& architecture, std::int64_t frames);

} // namespace headroom
