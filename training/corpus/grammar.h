// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/data/random.h"

#include <string>

namespace headroom::training {

/// One sentence in three languages, with capital and full stop. Every space in the English one separates two
/// words that are spoken one after the other.
struct Sentence {
    std::string english, german, spanish;
};

/// Returns a sentence of the demo corpus's grammar (lexicon.h): some fifteen patterns, statements and
/// questions, with agreement in number, gender, case and person. Equal random numbers give equal sentences.
Sentence randomSentence(Random& random);

} // namespace headroom::training
