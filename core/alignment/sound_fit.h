// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "core/alignment/text_grid.h"

#include <span>
#include <string_view>
#include <vector>

// Compares an alignment with the audio. Internal to core/alignment.
namespace headroom {

/// Levels of 25 ms windows every 10 ms; frame f is centred near f · 10 ms + 12.5 ms.
struct SoundLevels {
    std::vector<double> decibels; ///< relative to full scale; −100 for digital silence
    double quiet = 0, loud = 0;   ///< their 5th and 95th percentile
    double speech = 0;            ///< above this level: speech
    double silence = 0;           ///< below this level: silence
    Seconds centre(std::size_t frame) const { return Seconds(0.01 * static_cast<double>(frame) + 0.0125); }
};
/// `samples`: 16 kHz. Empty if shorter than one window.
SoundLevels soundLevels(std::span<const float> samples);

/// Returns whether an interval says that something sounds but not which phone: spoken noise ("spn", "nsn"),
/// unknown words ("<unk>"), laughter. Such intervals take no part in the fit.
bool isSpokenNoise(std::string_view label);

/// Returns the level that each frame's label predicts: 0 silence and gaps, ½ stops … 1 vowels. NaN where the
/// label predicts nothing: spoken noise, and labels that the map does not contain or ignores.
std::vector<double> sonority(std::span<const Interval> phones, const PhoneMap& map,
                             const SoundLevels& levels);

struct SoundFit {
    double fit = 0;     ///< Pearson correlation of level and sonority; NaN if undefined
    double shifted = 0; ///< the best fit when the labels are moved by `shift`
    Seconds shift;      ///< positive: the labels should be later; at most 0.6 s and a quarter of the
                         ///< recording
    /// Share of neighbouring intervals (gaps of 30 ms and more are intervals of silence) whose mean levels differ
    /// in the direction that their labels predict, where these differ by 0.15 or more. NaN: no such pair.
    double agreement = 0;
};
/// Levels are cut to 45 dB below `loud`. NaN for less than half a second of frames that take part, or if either
/// side is constant.
SoundFit soundFit(const SoundLevels& levels, std::span<const Interval> phones, const PhoneMap& map);

} // namespace headroom
