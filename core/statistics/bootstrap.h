// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/statistics/split_mix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headroom {

// The bootstrap: how far a number would move with other utterances of the same kind. `estimateMean`
// (statistics.h) is built on it; use the functions below for a number that is no mean over utterances, such as
// an accuracy over all tokens or a coverage of averaged maps. Draws follow from the seed alone, the same on
// every machine. Pure; thread-safe.

/// A 95 % interval; both ends NaN if nothing was drawn.
struct Interval95 {
    double low = 0, high = 0;
};

/// What is drawn as a whole: the utterances of one speaker, or one utterance. Indices of those `present`, in
/// the order in which each unit first appears. `clusters`: one number (a speaker) per utterance; empty: every
/// utterance is a unit of its own. Throws std::invalid_argument if `clusters` has another length.
std::vector<std::vector<std::size_t>> resamplingUnits(const std::vector<bool>& present,
                                                      std::span<const int> clusters);

/// One draw with replacement: calls `take` `units` times with a number in 0 … units − 1.
template <typename Take>
void drawUnits(std::size_t units, SplitMix& random, Take&& take) {
    for (std::size_t drawn = 0; drawn < units; ++drawn)
        take(random.below(units));
}

/// How often each utterance is drawn, one vector per draw. Utterances that are not `present` are drawn 0
/// times. Empty if fewer than two units are present: drawn again, one alone is always itself.
std::vector<std::vector<int>> resampledCounts(const std::vector<bool>& present, std::span<const int> clusters,
                                              std::uint64_t seed, int draws);
/// What resampledCounts() draws: "speakers" or "utterances".
const char* drawnUnits(std::span<const int> clusters);

/// The interval that leaves ⌊2.5 %⌋ of the draws on either side. NaN values are left out.
Interval95 interval95(std::vector<double> draws);
/// The same width, moved so that the mean of the draws lies on `value`: for numbers that every resampling
/// makes smaller, so that the percentiles themselves may miss the number they describe.
Interval95 spreadAround(double value, const std::vector<double>& draws);

} // namespace headroom
