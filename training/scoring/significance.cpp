// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/scoring/significance.h"

#include "core/errors/error.h"
#include "training/scoring/numpy_random.h"
#include "training/scoring/word_error_rate.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace headroom::training {
namespace {

void checkLines(const LineStatistics& system) {
    if (system.lines.empty())
        throw Error("scoring.noLines", "There are no lines to resample.");
}

/// One row of drawn lines after another, as numpy fills a matrix.
std::vector<std::uint32_t> drawnLines(const LineStatistics& system, std::size_t resamples,
                                      std::uint32_t seed) {
    return NumpyRandom(seed).choice(static_cast<std::uint32_t>(system.lines.size()),
                                    resamples * system.lines.size());
}

std::vector<double> resampledScores(const LineStatistics& system, std::span<const std::uint32_t> drawn) {
    std::vector<double> scores;
    for (std::size_t first = 0; first < drawn.size(); first += system.lines.size())
        scores.push_back(system.scoreOf(drawn.subspan(first, system.lines.size())));
    return scores;
}

double meanOf(const std::vector<double>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

ScoreInterval intervalOf(std::vector<double> scores) {
    std::sort(scores.begin(), scores.end());
    const std::size_t cut = scores.size() / 40;
    return {meanOf(scores), scores[cut], scores[scores.size() - cut - 1]};
}

/// Returns the share of larger statistics, within the limits of PairedTest.
double pValue(const std::vector<double>& statistics, const PairedTest& test) {
    const double difference = std::abs(test.baseline - test.system);
    // Equal scores of different sums may differ in their last bits.
    if (!(difference > 1e-9 * std::max({1.0, std::abs(test.baseline), std::abs(test.system)})))
        return 1;
    const auto larger =
        std::count_if(statistics.begin(), statistics.end(), [&](double one) { return one > difference; });
    return std::max(static_cast<double>(larger + 1) / static_cast<double>(statistics.size() + 1), test.leastP());
}

PairedTest comparedScores(const LineStatistics& baseline, const LineStatistics& system) {
    checkSameLines(baseline.lines.size(), system.lines.size());
    checkLines(baseline);
    PairedTest test{baseline.scoreOfAll(), system.scoreOfAll(), 1, std::nullopt};
    for (std::size_t line = 0; line < baseline.lines.size(); ++line)
        test.differingLines += baseline.lines[line] != system.lines[line];
    return test;
}

} // namespace

double PairedTest::leastP() const {
    return std::min(1.0, std::exp2(1.0 - static_cast<double>(differingLines)));
}

ScoreInterval bootstrapInterval(const LineStatistics& system, std::size_t resamples, std::uint32_t seed) {
    checkLines(system);
    return intervalOf(resampledScores(system, drawnLines(system, resamples, seed)));
}

PairedTest pairedBootstrap(const LineStatistics& baseline, const LineStatistics& system,
                           std::size_t resamples, std::uint32_t seed) {
    PairedTest test = comparedScores(baseline, system);
    const auto drawn = drawnLines(baseline, resamples, seed);
    const auto first = resampledScores(baseline, drawn), second = resampledScores(system, drawn);
    std::vector<double> differences;
    for (std::size_t i = 0; i < first.size(); ++i)
        differences.push_back(std::abs(second[i] - first[i]));
    const double mean = meanOf(differences);
    for (double& one : differences)
        one -= mean;
    test.p = pValue(differences, test);
    test.interval = intervalOf(second);
    return test;
}

PairedTest approximateRandomisation(const LineStatistics& baseline, const LineStatistics& system,
                                    std::size_t trials, std::uint32_t seed) {
    PairedTest test = comparedScores(baseline, system);
    const std::size_t lines = baseline.lines.size(), counts = baseline.lines.front().size();
    const std::vector<bool> fromBaseline = NumpyRandom(seed).bits(trials * lines);
    const std::vector<double> all = baseline.sumOfAll(), others = system.sumOfAll();
    std::vector<double> differences, first(counts), second(counts);
    for (std::size_t trial = 0; trial < trials; ++trial) {
        std::fill(first.begin(), first.end(), 0);
        for (std::size_t line = 0; line < lines; ++line) {
            const auto& from = fromBaseline[trial * lines + line] ? baseline.lines[line] : system.lines[line];
            for (std::size_t i = 0; i < counts; ++i)
                first[i] += from[i];
        }
        for (std::size_t i = 0; i < counts; ++i)
            second[i] = all[i] + others[i] - first[i]; // whole numbers: exact
        differences.push_back(std::abs(baseline.score(first) - system.score(second)));
    }
    test.p = pValue(differences, test);
    return test;
}

} // namespace headroom::training
