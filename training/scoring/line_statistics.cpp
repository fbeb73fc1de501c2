// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/line_statistics.h"

namespace headroom::training {
namespace {

void addLine(std::vector<double>& sums, const std::vector<double>& line) {
    sums.resize(line.size(), 0);
    for (std::size_t i = 0; i < line.size(); ++i)
        sums[i] += line[i];
}

} // namespace

std::vector<double> LineStatistics::sumOfAll() const {
    std::vector<double> sums;
    for (const auto& line : lines)
        addLine(sums, line);
    return sums;
}

double LineStatistics::scoreOf(std::span<const std::uint32_t> chosen) const {
    std::vector<double> sums;
    for (const std::uint32_t line : chosen)
        addLine(sums, lines.at(line));
    return score(sums);
}

} // namespace headroom::training
