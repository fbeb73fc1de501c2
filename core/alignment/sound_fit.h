// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_map.h"
#include "core/alignment/text_grid.h"

#include <span>
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

/// Returns the level that each frame's label predicts: 0 silence and gaps, ½ stops … 1 vowels.
std::vector<double> sonority(std::span<const Interval> phones, const PhoneMap& map,
                             const SoundLevels& levels);

struct SoundFit {
    double fit = 0;     ///< Pearson correlation of level and sonority; NaN if undefined
    double shifted = 0; ///< the best fit when the labels are moved by `shift`
    Seconds shift;      ///< positive: the labels should be later; at most 0.6 s and a quarter of the
                         ///< recording
};
/// Levels are cut to 45 dB below `loud`. NaN for less than half a second, or if either side is constant.
SoundFit soundFit(const SoundLevels& levels, std::span<const double> sonority);

} // namespace headroom
