// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/data/random.h"

#include <string>

namespace headroom::training {

/// Four to eight words that nobody knows, spelled as English might spell them, with a few of the small words
/// between: every English phone beside nearly every other, which the 220 words of the grammar do not give. A
/// phone model that has heard only those knows words, not phones. Every blank parts two words that are spoken
/// one after the other. Equal random numbers give equal sentences.
std::string inventedSentence(Random& random);

} // namespace headroom::training
