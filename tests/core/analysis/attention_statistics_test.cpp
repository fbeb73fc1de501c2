// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/attention_statistics.h"

#include "core/analysis/diagonality.h"
#include "core/analysis/windows.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <QtTest>
#include <random>

namespace headroom::testing::attention_statistics_test {

namespace {

constexpr float kNone = std::numeric_limits<float>::quiet_NaN();

bool same(double found, double expected, double tolerance = 1e-9) {
    return std::isnan(expected) ? std::isnan(found) : std::abs(found - expected) <= tolerance;
}

Matrix<float> randomRows(std::size_t rows, std::size_t columns, std::mt19937& random) {
    std::uniform_real_distribution<float> uniform(0, 1);
    Matrix<float> map(rows, columns);
    for (std::size_t i = 0; i < rows; ++i) {
        float sum = 0;
        for (float& value : map.row(i)) {
            value = random() % 6 == 0 ? 0 : uniform(random) * uniform(random) + 0.001F;
            sum += value;
        }
        if (sum == 0)
            sum = map(i, 0) = 1;
        for (float& value : map.row(i))
            value /= sum;
    }
    return map;
}

double distance(std::size_t i, std::size_t j) {
    return std::abs(static_cast<double>(i) - static_cast<double>(j));
}

/// Shim et al. 2022, Eq. 2, over shares of the whole map.
double plainD(const Matrix<float>& map, double width) {
    double inside = 0, all = 0;
    for (std::size_t i = 0; i < map.rows(); ++i)
        for (std::size_t j = 0; j < map.columns(); ++j) {
            all += double(map(i, j));
            inside += distance(i, j) <= width + 1e-9 ? double(map(i, j)) : 0;
        }
    return inside / all;
}

/// Algorithm 1 in the words of the facts, with the diagonals' means taken from the map.
std::int64_t plainWindow(const Matrix<float>& map, double threshold) {
    const std::size_t side = map.rows();
    std::int64_t last = 0, miss = 0;
    for (std::size_t offset = 0; offset < side; ++offset) {
        double above = 0, below = 0;
        for (std::size_t i = 0; i + offset < side; ++i) {
            above += double(map(i, i + offset));
            below += double(map(i + offset, i));
        }
        const auto length = static_cast<double>(side - offset);
        if (above / length > threshold || below / length > threshold) {
            last = static_cast<std::int64_t>(offset);
            miss = 0;
        } else {
            ++miss;
        }
        if (10 * miss >= static_cast<std::int64_t>(side))
            break;
    }
    return 2 * last;
}

double sortedLowerMedian(std::vector<double> values) {
    std::sort(values.begin(), values.end());
    return values.empty() ? double(kNone) : values[(values.size() - 1) / 2];
}

/// Sant et al. 2022, Eq. 4: pooled, or the median of medians.
std::vector<double> plainRelevance(const std::vector<Matrix<float>>& utterances, std::size_t heads,
                                   bool notebook) {
    std::vector<double> result;
    for (std::size_t head = 0; head < heads; ++head) {
        std::vector<double> all, perUtterance;
        for (const auto& norms : utterances) {
            std::vector<double> own;
            for (std::size_t token = 0; token < norms.rows(); ++token) {
                double total = 0;
                for (std::size_t other = 0; other < heads; ++other)
                    total += double(norms(token, other));
                if (total > 0)
                    own.push_back(double(norms(token, head)) / total);
            }
            all.insert(all.end(), own.begin(), own.end());
            if (!own.empty())
                perUtterance.push_back(sortedLowerMedian(own));
        }
        result.push_back(sortedLowerMedian(notebook ? perUtterance : all));
    }
    return result;
}

} // namespace

class AttentionStatisticsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void statisticsAreWhatTheySayTheyAre() {
        std::mt19937 random(1);
        for (int round = 0; round < 1000; ++round) {
            const std::size_t rows = 1 + random() % 12, columns = round % 2 ? rows : 1 + random() % 12;
            auto map = randomRows(rows, columns, random);
            const auto silent = std::make_unique<bool[]>(columns);
            for (std::size_t j = 0; j < columns; ++j)
                silent[j] = random() % 2;
            const std::size_t unknown = random() % (2 * rows); // that row, if there is one, is NaN
            if (unknown < rows)
                map(unknown, random() % columns) = kNone;
            double entropy = 0, mean = 0, maximum = 0, onSilence = 0, counted = 0;
            for (std::size_t i = 0; i < rows; ++i) {
                if (i == unknown)
                    continue;
                counted += 1;
                double largest = 0;
                for (std::size_t j = 0; j < columns; ++j) {
                    const double weight = double(map(i, j));
                    entropy += weight > 0 ? -weight * std::log(weight) : 0;
                    mean += weight * distance(i, j);
                    largest = std::max(largest, weight);
                    onSilence += silent[j] ? weight : 0;
                }
                maximum += largest;
            }
            const auto found = attentionStatistics(map, {silent.get(), columns});
            QVERIFY(same(found.entropy, entropy / counted));
            QVERIFY(same(found.maximum, maximum / counted));
            QVERIFY(same(found.onSilence, onSilence / counted));
            QVERIFY(same(found.meanDistance, rows == columns ? mean / counted : double(kNone)));
            QVERIFY(std::isnan(attentionStatistics(map).onSilence));
        }
    }

    void uniformAndIdentityMapsHaveKnownStatistics() {
        const auto uniform = attentionStatistics(Matrix<float>(8, 8, 0.125F));
        QVERIFY(same(uniform.entropy, std::log(8)));
        QVERIFY(same(uniform.maximum, 0.125));
        QVERIFY(same(uniform.meanDistance, 63.0 / 24)); // (N² − 1) / 3N
        Matrix<float> identity(3, 3);
        for (std::size_t i = 0; i < 3; ++i)
            identity(i, i) = 1;
        const auto found = attentionStatistics(identity);
        QVERIFY(found.entropy == 0 && found.meanDistance == 0 && found.maximum == 1);
        QVERIFY(std::isnan(attentionStatistics(Matrix<float>()).entropy));
        const bool tooFew[] = {true};
        QVERIFY_EXCEPTION_THROWN(attentionStatistics(identity, tooFew), std::invalid_argument);
    }

    void cadIsTheIntegralOfItsCurve() { // O5, and the affine relation to the mean distance
        std::mt19937 random(2);
        for (int round = 0; round < 1000; ++round) {
            const std::size_t side = 1 + random() % 14;
            const auto map = randomRows(side, side, random);
            const DiagonalProfile profile(map.view());
            double integral = side == 1 ? 1 : 0, trapezoid = integral;
            const double range = static_cast<double>(side) - 1;
            for (std::size_t step = 0; step + 1 < side; ++step) {
                const auto width = static_cast<double>(step);
                integral += plainD(map, width) / range;
                trapezoid += (plainD(map, width) + plainD(map, width + 1)) / 2 / range;
            }
            QVERIFY(same(cumulativeAttentionDiagonality(profile), integral));
            QVERIFY(same(cumulativeAttentionDiagonalityTrapezoid(profile), trapezoid));
            if (side > 1)
                QVERIFY(same(integral, 1 - attentionStatistics(map).meanDistance / range, 1e-6));
        }
    }

    void theCurveIsEquationTwoAtItsNodes() {
        std::mt19937 random(3);
        for (int round = 0; round < 1000; ++round) {
            const std::size_t side = 1 + random() % 14;
            const int nodes = 2 + static_cast<int>(random() % 30);
            const auto map = randomRows(side, side, random);
            const auto curve = attentionDiagonalityCurve(DiagonalProfile(map.view()), nodes);
            QCOMPARE(curve.size(), static_cast<std::size_t>(nodes));
            for (int node = 0; node < nodes; ++node) {
                const double r = static_cast<double>(node) / (nodes - 1);
                QVERIFY(same(curve[static_cast<std::size_t>(node)],
                             plainD(map, r * static_cast<double>(side - 1))));
            }
            QCOMPARE(curve.back(), 1.0);
        }
        QVERIFY(std::isnan(attentionDiagonalityCurve({}, 3)[1]));
        QVERIFY_EXCEPTION_THROWN(attentionDiagonalityCurve({}, 1), std::invalid_argument);
    }

    void diagonalityAndItsMeanAreWhatTheEquationsSay() { // O3, O4
        std::mt19937 random(4);
        for (int round = 0; round < 1000; ++round) {
            const std::size_t side = 1 + random() % 12;
            const auto map = randomRows(side, side, random);
            const DiagonalProfile profile(map.view());
            double mean = 0;
            for (std::size_t window = 1; window <= 2 * side; ++window) {
                const double expected = plainD(map, std::floor(static_cast<double>(window) / 2));
                QVERIFY(same(diagonality(profile, static_cast<std::int64_t>(window)), expected));
                mean += expected / (2 * static_cast<double>(side));
            }
            QVERIFY(same(cumulativeContributionDiagonality(profile), mean));
        }
    }

    void algorithmOneIsWhatTheWordsSay() { // O7
        std::mt19937 random(5);
        int found = 0;
        for (int round = 0; round < 2000; ++round) {
            const std::size_t side = 1 + random() % 40;
            auto map = randomRows(side, side, random);
            // Steeper or flatter, so that the search stops everywhere.
            const double slope = static_cast<double>(random() % 100) / 50;
            for (std::size_t i = 0; i < side; ++i)
                for (std::size_t j = 0; j < side; ++j)
                    map(i, j) *= static_cast<float>(std::exp(-slope * distance(i, j)));
            const double thresholds[] = {0.001, 0.01, 0.02, 0.05};
            WindowSearchSettings settings;
            settings.threshold = thresholds[round % 4];
            const auto expected = plainWindow(map, settings.threshold);
            QCOMPARE(windowStatistic(DiagonalProfile(map.view()), settings), expected);
            found += expected > 0 && expected < 2 * static_cast<std::int64_t>(side - 1);
        }
        QVERIFY(found > 500);
    }

    void theLowerMiddleIsTheMedian() {
        std::vector<double> four{4, 1, 3, 2}, three{3, 1, 2}, none;
        QCOMPARE(lowerMedian(four), 2.0);
        QCOMPARE(lowerMedian(three), 2.0);
        QVERIFY(std::isnan(lowerMedian(none)));
    }

    void headRelevanceIsWhatEquationFourSays() { // O12
        std::mt19937 random(6);
        std::uniform_real_distribution<float> uniform(0, 9);
        for (int round = 0; round < 1000; ++round) {
            const std::size_t heads = 1 + random() % 5;
            std::vector<Matrix<float>> utterances;
            for (unsigned count = random() % 5; count > 0; --count) {
                Matrix<float> norms(random() % 7, heads);
                for (std::size_t token = 0; token < norms.rows(); ++token)
                    if (random() % 8 != 0) // else a token without a norm
                        for (float& norm : norms.row(token))
                            norm = uniform(random);
                utterances.push_back(norms);
            }
            for (const bool notebook : {false, true}) {
                const auto found =
                    headRelevance(utterances, notebook ? RelevanceMode::Notebook : RelevanceMode::Pooled);
                const auto expected = plainRelevance(utterances, heads, notebook);
                for (std::size_t head = 0; head < found.size(); ++head)
                    QVERIFY(same(found[head], expected[head], 1e-12));
            }
        }
    }

    void ofOneTokenTheHeadsSumToOne() { // O12
        const std::vector<Matrix<float>> one{Matrix<float>(1, 3, {1, 2, 5})};
        QCOMPARE(headRelevance(one, RelevanceMode::Pooled), (std::vector<double>{0.125, 0.25, 0.625}));
        QCOMPARE(headRelevance(one, RelevanceMode::Notebook), headRelevance(one, RelevanceMode::Pooled));
        QVERIFY(headRelevance({}, RelevanceMode::Pooled).empty());
        const std::vector<Matrix<float>> mixed{Matrix<float>(1, 3), Matrix<float>(1, 2)};
        QVERIFY_EXCEPTION_THROWN(headRelevance(mixed, RelevanceMode::Pooled), std::invalid_argument);
    }

    void theTwoModesDifferWhereUtterancesDiffer() {
        const std::vector<Matrix<float>> utterances{Matrix<float>(1, 2, {1, 0}), Matrix<float>(1, 2, {1, 0}),
                                                    Matrix<float>(3, 2, {0, 1, 0, 1, 0, 1})};
        QCOMPARE(headRelevance(utterances, RelevanceMode::Pooled), (std::vector<double>{0, 1}));
        QCOMPARE(headRelevance(utterances, RelevanceMode::Notebook), (std::vector<double>{1, 0}));
    }
};

HEADROOM_TEST(AttentionStatisticsTest)

} // namespace headroom::testing::attention_statistics_test

#include "attention_statistics_test.moc"
