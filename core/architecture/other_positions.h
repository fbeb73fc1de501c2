// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"

#include <array>
#include <string>

namespace headroom {

/// The positions that are offered for every encoder. The others belong to models that were trained elsewhere.
inline constexpr std::array kOfferedPositions{Positions::Sinusoidal,  Positions::Interleaved,   Positions::Relative, Positions::Rotary,
                                              Positions::RelativeKey, Positions::Convolutional, Positions::None};

/// Returns the architecture with other positions of its encoder. A positional convolution is that of wav2vec 2.0, and relative keys
/// reach as far as those of wav2vec2-BERT. With the positions that it has, the architecture stays as it is.
Architecture withPositions(Architecture architecture, Positions positions);

/// Returns why the encoder cannot have these positions, as a sentence; empty if it can. Heads can rule them out:
/// core/architecture/README.md, “What fits together”.
std::string whyNotPositions(const Architecture& architecture, Positions positions);

/// Returns a note, as sentences, on weights of `model` that are to start `architecture` and were trained with other positions; empty if
/// both have the same. The tensors may fit all the same: sinusoidal and rotary positions have none.
std::string noteOnPositions(const Architecture& model, const Architecture& architecture, bool encoderOnly);

} // namespace headroom
