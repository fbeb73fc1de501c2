// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/bootstrap.h"

#include "core/statistics/moments.h"
#include "core/statistics/undefined.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace headroom {

std::vector<std::vector<std::size_t>> resamplingUnits(const std::vector<bool>& present,
                                                      std::span<const int> clusters) {
    const bool clustered = !clusters.empty();
    if (clustered && clusters.size() != present.size())
        throw std::invalid_argument("There must be one cluster number per value, or none.");
    std::vector<std::vector<std::size_t>> units;
    std::map<int, std::size_t> places;
    for (std::size_t index = 0; index < present.size(); ++index) {
        if (!present[index])
            continue;
        const std::size_t place =
            clustered ? places.try_emplace(clusters[index], units.size()).first->second : units.size();
        if (place == units.size())
            units.emplace_back();
        units[place].push_back(index);
    }
    return units;
}

std::vector<std::vector<int>> resampledCounts(const std::vector<bool>& present, std::span<const int> clusters,
                                              std::uint64_t seed, int draws) {
    const auto units = resamplingUnits(present, clusters);
    if (units.size() < 2)
        return {};
    SplitMix random(seed);
    std::vector<std::vector<int>> counts;
    for (int draw = 0; draw < draws; ++draw) {
        std::vector<int>& now = counts.emplace_back(present.size(), 0);
        drawUnits(units.size(), random, [&](std::size_t unit) {
            for (const std::size_t index : units[unit])
                ++now[index];
        });
    }
    return counts;
}

const char* drawnUnits(std::span<const int> clusters) {
    return clusters.empty() ? "utterances" : "speakers";
}

Interval95 interval95(std::vector<double> draws) {
    std::erase_if(draws, [](double value) { return std::isnan(value); });
    if (draws.empty())
        return {kUndefined, kUndefined};
    std::sort(draws.begin(), draws.end());
    // As many draws lie below `low` as above `high`: 50 of 2,000.
    const auto outside = static_cast<std::size_t>(0.025 * static_cast<double>(draws.size()));
    return {draws[outside], draws[draws.size() - 1 - outside]};
}

Interval95 spreadAround(double value, const std::vector<double>& draws) {
    const double mean = Moments(draws).mean();
    const Interval95 range = interval95(draws);
    return {value + range.low - mean, value + range.high - mean};
}

} // namespace headroom
