// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace headroom {

// How reliable a mean over utterances is. NaN values are left out everywhere, together with their cluster
// entry. Random numbers follow from the seed alone, the same on every machine. Pure; safe on every thread.

struct MeanEstimate {
    double mean = 0;
    double deviation = 0;      ///< population standard deviation (Alastruey et al. 2022 use it for μ + σ)
    double low = 0, high = 0;  ///< 95 % percentile bootstrap of the mean; both NaN for fewer than two units
    std::int64_t n = 0;        ///< values that are not NaN
    std::int64_t clusters = 0; ///< speakers that were resampled; 0 if utterances were
};
/// `clusters`: one number per value (a speaker); clusters are the units, resampled as wholes. Empty: the values
/// are. The mean of no values is NaN.
MeanEstimate estimateMean(std::span<const double> values, std::span<const int> clusters = {},
                          std::uint64_t seed = 1, int resamples = 2000);

struct PairedTest {
    std::string name;      ///< "paired sign-flip permutation test, 9,999 draws, speakers as clusters"
    std::int64_t n = 0;    ///< pairs
    double difference = 0; ///< mean of a − b
    double p = 1;          ///< two-sided; NaN for fewer than two units
};
/// Tests the mean of a − b against 0 by flipping signs (of whole clusters if given); exact for at most 2^13
/// sign patterns. `a` and `b` have equal lengths.
PairedTest pairedTest(std::span<const double> a, std::span<const double> b,
                      std::span<const int> clusters = {}, std::uint64_t seed = 1, int draws = 9999);

} // namespace headroom
