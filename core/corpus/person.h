// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace headroom {

struct Utterance;

/// What the id and the speaker of a copy at another speed begin with: "sp0.9-", as in Kaldi. Empty at the speed 1.
std::string speedPrefix(double speed);

/// Returns who speaks: of a copy at another speed, the speaker of the original. Kaldi calls it another speaker, so that each speed is
/// normalised on its own; to count people, or to keep their utterances together, it is the same one. Empty: not known.
std::string_view personOf(const Utterance& utterance);

} // namespace headroom
