// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "training/speech/espeak.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::training {

/// A text cut at its blanks: what espeak is given, and the labels of the tier `words`.
struct SpokenText {
    /// The words, joined by U+00A0: at a plain blank espeak runs "of the" together into one word event.
    std::string text;
    std::vector<std::string> words; ///< without punctuation at either end
};
/// Throws Error "speech.noText" where the text has no letter and no digit.
SpokenText spokenText(const std::string& text);

/// Tiers `words` and `phones`, gap-free from 0 to the end of the sound; silence is an empty label among the
/// words and `sil` among the phones. A word begins at its word event, and so does its first phone. `phonesOf`
/// maps one of espeak's mnemonics to ARPABET (several phones share its time equally; none: a pause). Throws
/// Error "speech.words" unless espeak said exactly these words.
TextGrid gridOf(const Speech& speech, const std::vector<std::string>& words,
                const std::function<std::string(const std::string&)>& arpabet);

} // namespace headroom::training
