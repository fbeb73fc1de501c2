// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace headroom::training {

// The bootstrap for what is no mean over utterances (core/statistics has those): an accuracy over all tokens,
// a coverage of averaged maps.

/// An interval, 95 %, percentiles of the draws; both NaN where nothing was drawn.
struct Interval95 {
    double low = 0, high = 0;
};

/// How often each of `count` utterances is drawn, one vector per draw. Speakers (`clusters`, one number per
/// utterance, as speakerClusters gives them) are drawn as wholes; empty: utterances one by one. Follows from
/// the seed alone. `present`: utterances that take part, the others are drawn 0 times. Nothing where fewer
/// than two utterances, or speakers, take part.
std::vector<std::vector<int>> resampledCounts(const std::vector<bool>& present, std::span<const int> clusters,
                                              std::uint64_t seed, int draws);

/// What resampledCounts() draws: "speakers", or "utterances", also where all that take part are of one
/// speaker.
const char* drawnUnits(const std::vector<bool>& present, std::span<const int> clusters);

/// The same spread, moved so that the mean of the draws lies on `value`: for numbers that every resampling
/// makes smaller, so that the percentiles themselves may miss the number that they are about.
Interval95 spreadAround(double value, const std::vector<double>& draws);

/// The 2.5 and 97.5 percentiles (linear between neighbours) of the values that are not NaN.
Interval95 interval95(std::vector<double> values);

} // namespace headroom::training
