// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/resampling.h"

#include "training/data/random.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace headroom::training {

namespace {

constexpr std::uint64_t kResampling = 201; // the loader's purposes are below 100, the corpus' from 101

double percentile(const std::vector<double>& sorted, double share) {
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(std::floor(place));
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    return sorted[below] + (place - std::floor(place)) * (sorted[above] - sorted[below]);
}

} // namespace

const char* drawnUnits(const std::vector<bool>& present, std::span<const int> clusters) {
    std::set<int> different;
    for (std::size_t u = 0; u < clusters.size(); ++u)
        if (present[u])
            different.insert(clusters[u]);
    return different.size() >= 2 ? "speakers" : "utterances";
}

std::vector<std::vector<int>> resampledCounts(const std::vector<bool>& present, std::span<const int> clusters,
                                              std::uint64_t seed, int draws) {
    std::map<int, std::vector<std::size_t>> units;
    for (std::size_t u = 0; u < present.size(); ++u)
        if (present[u])
            units[clusters.empty() ? static_cast<int>(u) : clusters[u]].push_back(u);
    if (units.size() < 2 && !clusters.empty()) // one speaker: its utterances are the sample
        return resampledCounts(present, {}, seed, draws);
    if (units.size() < 2)
        return {};
    std::vector<const std::vector<std::size_t>*> drawn;
    for (const auto& [cluster, members] : units)
        drawn.push_back(&members);
    std::vector<std::vector<int>> counts;
    for (int draw = 0; draw < draws; ++draw) {
        Random random({seed, kResampling, static_cast<std::uint64_t>(draw)});
        std::vector<int>& now = counts.emplace_back(present.size(), 0);
        for (std::size_t unit = 0; unit < drawn.size(); ++unit)
            for (const std::size_t u :
                 *drawn[static_cast<std::size_t>(random.below(static_cast<std::int64_t>(drawn.size())))])
                ++now[u];
    }
    return counts;
}

Interval95 interval95(std::vector<double> values) {
    values.erase(std::remove_if(values.begin(), values.end(), [](double value) { return std::isnan(value); }),
                 values.end());
    if (values.empty())
        return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    std::sort(values.begin(), values.end());
    return {percentile(values, 0.025), percentile(values, 0.975)};
}

Interval95 spreadAround(double value, const std::vector<double>& draws) {
    double sum = 0, count = 0;
    for (const double draw : draws)
        if (!std::isnan(draw)) {
            sum += draw;
            ++count;
        }
    const Interval95 range = interval95(draws);
    return {value + range.low - sum / count, value + range.high - sum / count};
}

} // namespace headroom::training
