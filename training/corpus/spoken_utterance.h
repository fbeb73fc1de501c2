// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "training/corpus/acoustics.h"
#include "training/speech/espeak.h"

#include <span>
#include <string>
#include <vector>

namespace headroom::training {

/// One utterance of the demo corpus before it is written: 16 kHz, with its times.
struct SpokenUtterance {
    std::vector<float> samples;
    TextGrid grid; ///< tiers `words` and `phones`, gap-free from 0 to the end of the samples
};

/// Samples a voice of espeak-ng: five accents, thirteen speakers, speeds of 130 to 205 words a minute,
/// pitches of 25 to 75.
Voice randomVoice(Random& random);

/// Speaks `text` with 0.1 to 0.5 s of background before and after it. Throws like speakWithEspeak and gridOf.
/// One thread of the process at a time.
SpokenUtterance speakUtterance(const std::string& text, const Voice& voice, const Conditions& conditions,
                               std::span<const float> babble, Random& random);

/// Returns about 15 s of eight voices talking at once. One thread of the process at a time.
std::vector<float> spokenBabble(Random& random);

} // namespace headroom::training
