// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <string>
#include <vector>

namespace headroom::training {

/// A word of a transcript as it is written, and how it is spoken.
struct SpokenWord {
    std::string word;
    std::vector<std::string> phones; ///< ARPABET without stress
};

struct SpokenPhones {
    std::vector<SpokenWord> words;
    std::vector<Warning> warnings;
};

/// The phones that espeak-ng (voice en-us) would say for an English text. A text in capitals is read as if it
/// were in small letters, else short words would be spelled. Where espeak says another number of words than
/// are written (numbers, abbreviations, compounds), every word is spoken alone and has all the phones of what
/// is said for it: warning "align.wordsAlone". Words for which nothing is said are left out: warning
/// "align.silentWord".
///
/// Throws Error "speech.noText" for a text without a word, "speech.noEspeak" (says what to install),
/// "speech.phone". One thread in the process at a time: espeak-ng's state is global.
SpokenPhones spokenPhones(const std::string& text);

} // namespace headroom::training
