// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace headroom::training {

/// What a metric counts in each line, and how it makes a score of the counts' sums: enough to score any
/// selection of lines without reading the text again. A value.
struct LineStatistics {
    std::string name;      ///< "BLEU", "chrF2", "TER", "WER"
    std::string signature; ///< of the metric
    std::vector<std::vector<double>> lines;
    std::function<double(std::span<const double> sums)> score;

    std::vector<double> sumOfAll() const;
    double scoreOfAll() const { return score(sumOfAll()); }
    /// The score of the lines of a resample, with repetitions.
    double scoreOf(std::span<const std::uint32_t> chosen) const;
};

} // namespace headroom::training
