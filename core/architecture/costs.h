// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <cstdint>

namespace headroom {

/// What an architecture costs. Exact counts from formulae (core/architecture/README.md), tested against built
/// models.
struct Costs {
    std::int64_t parameters = 0;        ///< all learnt numbers, tied ones once; a CTC output counts only here
    std::int64_t encoderParameters = 0; ///< front end, layers, final norm
    std::int64_t decoderParameters = 0; ///< embedding, layers, final norm, output
};
/// Throws Error "architecture.kindNotBuilt" where a kind's parameters are not known: conformer, conv2d,
/// relative positions, speechformer.
Costs parameterCosts(const Architecture& architecture);

/// Multiply–accumulates and attention memory of the encoder for so many frames at its input.
struct EncoderCosts {
    std::int64_t frames = 0, tokens = 0;
    std::int64_t macs = 0;              ///< front end, projections, attention, feed-forward
    std::int64_t attentionMacs = 0;     ///< QKᵀ and A·V only, over the keys each head may see
    std::int64_t attentionMapBytes = 0; ///< all layers' maps in fp32, as kept by a training step
};
/// `frames` ≥ 1. Full and centred local heads; other kinds throw Error "architecture.kindNotBuilt".
EncoderCosts encoderCosts(const Architecture& architecture, std::int64_t frames);

} // namespace headroom
