// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/data/random.h"

#include <string>

namespace headroom::training {

/// Returns four to eight invented words with English-like spelling, with a few function words between them,
/// so that nearly every pair of English phones occurs. The 220 words of the grammar do not provide this, and
/// a phone model trained on them learns words instead of phones. Every space separates two words that are
/// spoken one after the other. Equal random numbers give equal sentences.
std::string inventedSentence(Random& random);

} // namespace headroom::training
