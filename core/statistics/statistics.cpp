// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/statistics.h"

#include "core/errors/count_text.h"
#include "core/statistics/bootstrap.h"
#include "core/statistics/moments.h"
#include "core/statistics/undefined.h"

#include <cmath>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

namespace headroom {

namespace {

constexpr std::size_t kMostExactUnits = 13; // 2^13 sign patterns

/// What is drawn, or flipped, as a whole: an utterance, or all of a speaker.
struct Unit {
    double sum = 0;
    double count = 0;
};

std::vector<Unit> unitsOf(std::span<const double> values, std::span<const int> clusters) {
    std::vector<bool> present;
    for (const double value : values)
        present.push_back(!std::isnan(value));
    std::vector<Unit> units;
    for (const std::vector<std::size_t>& members : resamplingUnits(present, clusters)) {
        Unit& unit = units.emplace_back();
        for (const std::size_t index : members)
            unit.sum += values[index];
        unit.count = static_cast<double>(members.size());
    }
    return units;
}

double meanOf(const std::vector<Unit>& units) {
    double sum = 0, count = 0;
    for (const Unit& unit : units) {
        sum += unit.sum;
        count += unit.count;
    }
    return sum / count;
}

std::int64_t countOf(const std::vector<Unit>& units) {
    double count = 0;
    for (const Unit& unit : units)
        count += unit.count;
    return static_cast<std::int64_t>(count);
}

/// How many of 2^units sign patterns are as far from 0 as the observed sum.
std::int64_t extremePatterns(const std::vector<Unit>& units, double observed) {
    std::int64_t extreme = 0;
    for (std::uint64_t pattern = 0; pattern < (std::uint64_t(1) << units.size()); ++pattern) {
        double sum = 0;
        for (std::size_t unit = 0; unit < units.size(); ++unit)
            sum += (pattern >> unit) & 1U ? -units[unit].sum : units[unit].sum;
        extreme += std::abs(sum) >= observed;
    }
    return extreme;
}

std::int64_t extremeDraws(const std::vector<Unit>& units, double observed, int draws, SplitMix random) {
    std::int64_t extreme = 0;
    for (int draw = 0; draw < draws; ++draw) {
        double sum = 0;
        std::uint64_t signs = 0;
        for (std::size_t unit = 0; unit < units.size(); ++unit) {
            if (unit % 64 == 0)
                signs = random.next();
            sum += (signs >> (unit % 64)) & 1U ? -units[unit].sum : units[unit].sum;
        }
        extreme += std::abs(sum) >= observed;
    }
    return extreme;
}

} // namespace

MeanEstimate estimateMean(std::span<const double> values, std::span<const int> clusters, std::uint64_t seed,
                          int resamples) {
    if (resamples < 1)
        throw std::invalid_argument("A bootstrap draws at least once.");
    const std::vector<Unit> units = unitsOf(values, clusters);
    MeanEstimate estimate;
    estimate.n = countOf(units);
    estimate.clusters = clusters.empty() ? 0 : static_cast<std::int64_t>(units.size());
    estimate.mean = estimate.n > 0 ? meanOf(units) : kUndefined;
    estimate.deviation = Moments(values).deviation();
    estimate.low = estimate.high = kUndefined;
    if (units.size() < 2)
        return estimate;

    SplitMix random(seed);
    std::vector<double> means;
    means.reserve(static_cast<std::size_t>(resamples));
    for (int resample = 0; resample < resamples; ++resample) {
        double sum = 0, count = 0;
        drawUnits(units.size(), random, [&](std::size_t unit) {
            sum += units[unit].sum;
            count += units[unit].count;
        });
        means.push_back(sum / count);
    }
    const Interval95 interval = interval95(std::move(means));
    estimate.low = interval.low;
    estimate.high = interval.high;
    return estimate;
}

PairedTest pairedTest(std::span<const double> a, std::span<const double> b, std::span<const int> clusters,
                      std::uint64_t seed, int draws) {
    if (a.size() != b.size())
        throw std::invalid_argument("A paired test needs as many values of the one as of the other.");
    if (draws < 1)
        throw std::invalid_argument("A permutation test draws at least once.");
    std::vector<double> differences;
    double scale = 0;
    for (std::size_t pair = 0; pair < a.size(); ++pair) {
        differences.push_back(a[pair] - b[pair]);
        scale += std::isnan(differences.back()) ? 0 : std::abs(differences.back());
    }
    const std::vector<Unit> units = unitsOf(differences, clusters);
    const bool exact = units.size() <= kMostExactUnits;

    PairedTest test;
    test.n = countOf(units);
    test.difference = test.n > 0 ? meanOf(units) : kUndefined;
    const auto patterns = std::int64_t(1) << (exact ? units.size() : 0);
    test.name = (exact ? "exact paired sign-flip permutation test, " + grouped(patterns) + " patterns"
                       : "paired sign-flip permutation test, " + grouped(draws) + " draws") +
                (clusters.empty() ? "" : ", speakers as clusters");
    if (units.size() < 2) {
        test.p = kUndefined;
        return test;
    }
    double observed = 0;
    for (const Unit& unit : units)
        observed += unit.sum;
    // Patterns of the same sum on paper count as the same, whatever their last bits.
    observed = std::abs(observed) - 1e-12 * scale;
    if (exact)
        test.p = static_cast<double>(extremePatterns(units, observed)) / static_cast<double>(patterns);
    else
        test.p = static_cast<double>(1 + extremeDraws(units, observed, draws, SplitMix(seed))) /
                 (1.0 + draws);
    return test;
}

} // namespace headroom
