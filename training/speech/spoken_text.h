// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "training/speech/espeak.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::training {

/// A text split at its spaces: the input of espeak-ng, and the labels of the tier `words`.
struct SpokenText {
    /// The words, joined by U+00A0, because with plain spaces espeak-ng merges "of the" into one word event.
    std::string text;
    std::vector<std::string> words; ///< without punctuation at either end
};
/// Throws Error "speech.noText" if the text has no letter or digit.
SpokenText spokenText(const std::string& text);

/// Returns the tiers `words` and `phones`, gap-free from 0 to the end of the audio; silence is an empty label
/// among the words and `sil` among the phones. A word starts at its word event, and so does its first phone.
/// `phonesOf` maps an espeak-ng mnemonic to ARPABET (several phones share its time equally; none: a pause).
/// Throws Error "speech.words" unless espeak-ng spoke exactly these words.
TextGrid gridOf(const Speech& speech, const std::vector<std::string>& words,
                const std::function<std::string(const std::string&)>& arpabet);

} // namespace headroom::training
