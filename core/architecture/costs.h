// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <cstdint>

namespace headroom {

/// A share of what is counted, under the name that tables show: "front end", "attention", "feed-forward" …
struct PartCost {
    std::string part;
    std::int64_t count = 0;
    bool operator==(const PartCost&) const = default;
};

/// What an architecture costs. Exact counts from formulae (core/architecture/README.md), tested against built
/// models.
struct Costs {
    std::int64_t parameters = 0;        ///< all learnt numbers, tied ones once; a CTC output counts only here
    std::int64_t encoderParameters = 0; ///< front end, layers, final norm
    std::int64_t decoderParameters = 0; ///< embedding, layers, final norm, output; all of a language model
    std::int64_t frontEndParameters = 0; ///< of encoderParameters
    std::vector<PartCost> parts;         ///< what parameters are made of, in the order of the network
    /// What the published count counts: all, or all but the front end.
    std::int64_t comparableParameters = 0;
};
/// Throws Error "architecture.kindNotBuilt" for layers that do not fit together (layer_rules.h).
Costs parameterCosts(const Architecture& architecture);

/// One encoder layer at a length.
struct LayerCosts {
    std::int64_t parameters = 0, macs = 0, attentionMacs = 0, attentionMapBytes = 0, activationBytes = 0;
};

/// Multiply–accumulates and memory of the encoder for so many frames at its input, one recording alone. Of a
/// language model the frames are its tokens.
struct EncoderCosts {
    std::int64_t frames = 0, tokens = 0;
    std::int64_t macs = 0;              ///< front end, projections, attention, feed-forward, convolutions
    std::int64_t attentionMacs = 0;     ///< scores and A·V only, over the keys that each query may see
    std::int64_t attentionMapBytes = 0; ///< one fp32 number per query and key of all layers' maps: a band
                                        ///< where local, N × N′ where compressed, none where reused
    /// fp32 numbers and masks that a training step keeps from the forward pass for the backward pass.
    std::int64_t activationBytes = 0;
    std::vector<PartCost> macParts;
    std::vector<LayerCosts> layers; ///< a language model's too
};
/// `frames` ≥ 1, else std::invalid_argument. Throws as parameterCosts.
EncoderCosts encoderCosts(const Architecture& architecture, std::int64_t frames);

} // namespace headroom
