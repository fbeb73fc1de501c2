// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/statistics.h"

#include "core/errors/count_text.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

namespace headroom {

namespace {

constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();
constexpr std::size_t kMostExactUnits = 13; // 2^13 sign patterns

/// SplitMix64 (Steele, Lea & Flood 2014). The standard's generators are the same everywhere too, but its
/// distributions are not.
class Generator {
public:
    explicit Generator(std::uint64_t seed) : m_state(seed) {}
    std::uint64_t next() {
        std::uint64_t mixed = m_state += 0x9E3779B97F4A7C15U;
        mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9U;
        mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EBU;
        return mixed ^ (mixed >> 31U);
    }
    /// 0 … count − 1; count < 2^32.
    std::size_t below(std::size_t count) {
        return static_cast<std::size_t>(((next() >> 32U) * static_cast<std::uint64_t>(count)) >> 32U);
    }

private:
    std::uint64_t m_state;
};

/// What is drawn, or flipped, as a whole: an utterance, or all of a speaker.
struct Unit {
    double sum = 0;
    double count = 0;
};

struct Units {
    std::vector<Unit> all;
    bool clustered = false;
};

/// `values` without NaN; clusters keep the order in which they first appear, so that the result does not
/// depend on how they are numbered.
Units unitsOf(std::span<const double> values, std::span<const int> clusters) {
    if (!clusters.empty() && clusters.size() != values.size())
        throw std::invalid_argument("There is one cluster number per value, or none at all.");
    Units units;
    std::map<int, std::size_t> places;
    for (std::size_t index = 0; index < values.size() && !clusters.empty(); ++index) {
        if (std::isnan(values[index]))
            continue;
        const auto [place, isNew] = places.try_emplace(clusters[index], units.all.size());
        if (isNew)
            units.all.emplace_back();
        units.all[place->second].sum += values[index];
        units.all[place->second].count += 1;
    }
    units.clustered = units.all.size() >= 2;
    if (units.clustered)
        return units;
    units.all.clear();
    for (const double value : values)
        if (!std::isnan(value))
            units.all.push_back({value, 1});
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

std::int64_t extremeDraws(const std::vector<Unit>& units, double observed, int draws, Generator generator) {
    std::int64_t extreme = 0;
    for (int draw = 0; draw < draws; ++draw) {
        double sum = 0;
        std::uint64_t signs = 0;
        for (std::size_t unit = 0; unit < units.size(); ++unit) {
            if (unit % 64 == 0)
                signs = generator.next();
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
    const Units units = unitsOf(values, clusters);
    MeanEstimate estimate;
    estimate.n = countOf(units.all);
    estimate.clusters = units.clustered ? static_cast<std::int64_t>(units.all.size()) : 0;
    estimate.mean = estimate.n > 0 ? meanOf(units.all) : kUndefined;
    double squares = 0;
    for (const double value : values)
        squares += std::isnan(value) ? 0 : (value - estimate.mean) * (value - estimate.mean);
    estimate.deviation = estimate.n > 0 ? std::sqrt(squares / static_cast<double>(estimate.n)) : kUndefined;
    estimate.low = estimate.high = kUndefined;
    if (estimate.n < 2)
        return estimate;

    Generator generator(seed);
    std::vector<double> means;
    means.reserve(static_cast<std::size_t>(resamples));
    for (int resample = 0; resample < resamples; ++resample) {
        double sum = 0, count = 0;
        for (std::size_t drawn = 0; drawn < units.all.size(); ++drawn) {
            const Unit& unit = units.all[generator.below(units.all.size())];
            sum += unit.sum;
            count += unit.count;
        }
        means.push_back(sum / count);
    }
    // As many means lie below `low` as above `high`: 50 of 2,000.
    const auto outside = static_cast<std::ptrdiff_t>(0.025 * resamples);
    std::sort(means.begin(), means.end());
    estimate.low = *(means.begin() + outside);
    estimate.high = *(means.end() - 1 - outside);
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
    const Units units = unitsOf(differences, clusters);
    const bool exact = units.all.size() <= kMostExactUnits;

    PairedTest test;
    test.n = countOf(units.all);
    test.difference = test.n > 0 ? meanOf(units.all) : kUndefined;
    const auto patterns = std::int64_t(1) << (exact ? units.all.size() : 0);
    test.name = (exact ? "exact paired sign-flip permutation test, " + grouped(patterns) + " patterns"
                       : "paired sign-flip permutation test, " + grouped(draws) + " draws") +
                (units.clustered ? ", speakers as clusters" : "");
    if (test.n < 2) {
        test.p = kUndefined;
        return test;
    }
    double observed = 0;
    for (const Unit& unit : units.all)
        observed += unit.sum;
    // Patterns of the same sum on paper count as the same, whatever their last bits.
    observed = std::abs(observed) - 1e-12 * scale;
    if (exact)
        test.p = static_cast<double>(extremePatterns(units.all, observed)) / static_cast<double>(patterns);
    else
        test.p = static_cast<double>(1 + extremeDraws(units.all, observed, draws, Generator(seed))) /
                 (1.0 + draws);
    return test;
}

} // namespace headroom
