// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <string>
#include <vector>

namespace headroom::training {

/// A word of a transcript, and its phones.
struct SpokenWord {
    std::string word;
    std::vector<std::string> phones; ///< ARPABET without stress
};

struct SpokenPhones {
    std::vector<SpokenWord> words;
    std::vector<Warning> warnings;
};

/// Returns espeak-ng's phones (voice en-us) of an English text. A text in capitals is read in lower case,
/// because short words would otherwise be spelled out. If espeak-ng speaks a different number of words than
/// written (numbers, abbreviations, compounds), every word is spoken separately: warning "align.wordsAlone".
/// Words that are not spoken are left out: warning "align.silentWord".
///
/// Throws Error "speech.noText" for a text without words, "speech.noEspeak" (says what to install),
/// "speech.phone". One thread of the process at a time, because espeak-ng's state is global.
SpokenPhones spokenPhones(const std::string& text);

} // namespace headroom::training
