// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/statistics.h"
#include "tests/support/runner.h"

#include "core/statistics/bootstrap.h"
#include "core/statistics/moments.h"
#include "core/statistics/quantiles.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <QtTest>
#include <random>
#include <vector>

namespace headroom::testing::statistics_test {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

/// Sum of twelve uniform numbers, less their mean: near enough to normal, the same on every machine.
double normal(std::mt19937& random) {
    double sum = -6;
    for (int i = 0; i < 12; ++i)
        sum += (random() + 0.5) / 4294967296.0;
    return sum;
}

/// How many of 1,000 intervals of `values` numbers hold the true mean 0. Numbers come in clusters of
/// `together`, which share half of their variance.
int intervalsThatHold(std::size_t values, std::size_t together, bool clustersKnown) {
    std::mt19937 random(7);
    int holds = 0;
    for (int round = 0; round < 1000; ++round) {
        std::vector<double> sample;
        std::vector<int> clusters;
        double shared = 0;
        for (std::size_t i = 0; i < values; ++i) {
            if (together > 1 && i % together == 0)
                shared = normal(random);
            sample.push_back(normal(random) + shared);
            clusters.push_back(static_cast<int>(i / together));
        }
        const auto estimate = estimateMean(sample, clustersKnown ? clusters : std::vector<int>(),
                                           static_cast<unsigned>(round), 400);
        holds += estimate.low <= 0 && 0 <= estimate.high;
    }
    return holds;
}

} // namespace

class StatisticsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void deviationIsStableForLargeMeans() {
        const std::vector<double> values{1e9 + 4, 1e9 + 7, kNone, 1e9 + 13, 1e9 + 16};
        Moments added;
        for (const double value : values)
            added.add(value);
        for (const Moments& moments : {Moments(values), added}) {
            QCOMPARE(moments.n(), 4);
            QCOMPARE(moments.mean(), 1e9 + 10);
            QCOMPARE(moments.deviation(), std::sqrt(22.5)); // Σx² − n·mean² has lost all of it
            QCOMPARE(moments.sampleDeviation(), std::sqrt(30.0));
        }
        QCOMPARE(estimateMean(values).deviation, std::sqrt(22.5));
    }
    void momentsOfNothingAreUndefined() {
        QVERIFY(std::isnan(Moments().mean()));
        QVERIFY(std::isnan(Moments(std::vector<double>{kNone}).deviation()));
        const Moments one(std::vector<double>{5});
        QCOMPARE(one.mean(), 5.0);
        QCOMPARE(one.deviation(), 0.0);
        QVERIFY(std::isnan(one.sampleDeviation()));
    }
    void quantilesAreLinearBetweenNeighbours() {
        QCOMPARE(median({3, kNone, 1, 2}), 2.0);
        QCOMPARE(median({4, 1}), 2.5);
        QVERIFY(std::isnan(median({kNone})));
        QCOMPARE(quantile(std::vector<double>{0, 10}, 0.25), 2.5);
        const FiveNumbers five = fiveNumbers({5, 4, 3, 2, 1});
        QCOMPARE(five.least, 1.0);
        QCOMPARE(five.lower, 2.0);
        QCOMPARE(five.upper, 4.0);
        QCOMPARE(five.most, 5.0);
    }
    void theMeanAndEveryOtherNumberShareOneBootstrap() {
        const std::vector<double> values{3, 1, 4, 1, 5, 9, 2, 6};
        const std::vector<int> speakers{7, 7, 2, 2, 2, 5, 5, 7};
        for (const std::vector<int>& clusters : {std::vector<int>(), speakers}) {
            std::vector<double> means;
            for (const std::vector<int>& counts :
                 resampledCounts(std::vector<bool>(values.size(), true), clusters, 11, 2000)) {
                double sum = 0, n = 0;
                for (std::size_t u = 0; u < values.size(); ++u) {
                    sum += counts[u] * values[u];
                    n += counts[u];
                }
                means.push_back(sum / n);
            }
            const Interval95 interval = interval95(means);
            const MeanEstimate estimate = estimateMean(values, clusters, 11);
            QCOMPARE(interval.low, estimate.low);
            QCOMPARE(interval.high, estimate.high);
        }
    }
    void meanAndDeviationAreThoseOfThePopulation() {
        const std::vector<double> values{1, kNone, 2, 3, 6};
        const auto estimate = estimateMean(values);
        QCOMPARE(estimate.n, 4);
        QCOMPARE(estimate.clusters, 0);
        QCOMPARE(estimate.mean, 3.0);
        QCOMPARE(estimate.deviation, std::sqrt((4 + 1 + 0 + 9) / 4.0));
        QVERIFY(1 <= estimate.low && estimate.low < 3 && 3 < estimate.high && estimate.high <= 6);
    }

    void nothingHasNoMeanAndOneValueNoInterval() {
        QVERIFY(std::isnan(estimateMean({}).mean) && std::isnan(estimateMean({}).deviation));
        const auto one = estimateMean(std::vector<double>{kNone, 5});
        QVERIFY(one.mean == 5 && one.deviation == 0 && one.n == 1);
        QVERIFY(std::isnan(one.low) && std::isnan(one.high));
    }

    void valuesThatAreAllAlikeHaveAnIntervalWithoutWidth() {
        const auto estimate = estimateMean(std::vector<double>(9, 0.25));
        QVERIFY(estimate.low == 0.25 && estimate.high == 0.25);
    }

    /// The numbers themselves: whoever changes the generator changes tables that were published.
    void drawnNumbersFollowFromTheSeed() {
        std::vector<double> values(20);
        std::iota(values.begin(), values.end(), 0.0);
        const auto one = estimateMean(values, {}, 1), again = estimateMean(values, {}, 1),
                   other = estimateMean(values, {}, 2);
        QVERIFY(one.low == again.low && one.high == again.high);
        QVERIFY(one.low != other.low || one.high != other.high);
        QCOMPARE(one.low, kLow);
        QCOMPARE(one.high, kHigh);
    }

    void intervalsHoldTheTrueMeanAsOftenAsTheySay() {
        const int of30 = intervalsThatHold(30, 1, false), of10 = intervalsThatHold(10, 1, false);
        QVERIFY2(of30 >= 925 && of30 <= 965, qPrintable(QString::number(of30)));
        QVERIFY2(of10 >= 870 && of10 <= 935, qPrintable(QString::number(of10)));
    }

    void speakersThatAreNotKnownMakeIntervalsTooNarrow() {
        const int known = intervalsThatHold(200, 10, true), unknown = intervalsThatHold(200, 10, false);
        QVERIFY2(known >= 900 && known <= 965, qPrintable(QString::number(known)));
        QVERIFY2(unknown < 700, qPrintable(QString::number(unknown)));
    }

    /// The interval was that of the utterances, narrower than those beside it, whose units are speakers.
    void whatOnlyOneSpeakerHasGetsNeitherIntervalNorTest() {
        const std::vector<double> values{1, 2, 4, kNone}, zeros(4, 0.0);
        const std::vector<int> speakers{0, 0, 0, 1};
        const auto estimate = estimateMean(values, speakers);
        QVERIFY(estimate.n == 3 && estimate.clusters == 1);
        QCOMPARE(estimate.mean, 7.0 / 3);
        QVERIFY(std::isnan(estimate.low) && std::isnan(estimate.high));
        const auto test = pairedTest(values, zeros, speakers);
        QVERIFY(test.n == 3 && std::isnan(test.p));
        QCOMPARE(test.difference, 7.0 / 3);
        QVERIFY(resampledCounts({true, true, true, false}, speakers, 1, 10).empty());
        QCOMPARE(estimateMean(values, std::vector<int>{5, 5, 2, 2}).clusters, 2);
    }

    void howSpeakersAreNumberedDoesNotMatter() {
        const std::vector<double> values{1, 2, 4, 8, 16};
        const auto one = estimateMean(values, std::vector<int>{0, 0, 1, 1, 2}),
                   other = estimateMean(values, std::vector<int>{9, 9, -4, -4, 0});
        QVERIFY(one.low == other.low && one.high == other.high);
    }

    void fewPairsAreTestedExactly() {
        // Of 8 patterns only +++ and −−− are as far from 0.
        const auto test = pairedTest(std::vector<double>{3, 4, 6}, std::vector<double>{1, 1, 1});
        QCOMPARE(test.p, 2.0 / 8);
        QCOMPARE(test.difference, 10.0 / 3);
        QCOMPARE(test.n, 3);
        QCOMPARE(test.name, std::string("exact paired sign-flip permutation test, 8 patterns"));
        // 5 − 1: patterns of sum ±6 and ±4: all.
        QCOMPARE(pairedTest(std::vector<double>{5, 0}, std::vector<double>{0, 1}).p, 1.0);
    }

    void speakersAreFlippedAsWholes() {
        const std::vector<double> a{1, 2, 3, 4}, b(4, 0.0);
        const auto test = pairedTest(a, b, std::vector<int>{0, 0, 1, 1});
        QCOMPARE(test.p, 2.0 / 4);
        QCOMPARE(test.n, 4);
        QVERIFY(test.name.ends_with("4 patterns, speakers as clusters"));
    }

    void drawnPatternsAgreeWithAllOfThem() {
        std::mt19937 random(3);
        std::vector<double> a, b;
        for (int i = 0; i < 14; ++i) { // one more than is tested exactly
            a.push_back(normal(random) + 0.5);
            b.push_back(normal(random));
        }
        const auto drawn = pairedTest(a, b);
        QVERIFY(drawn.name == "paired sign-flip permutation test, 9,999 draws");
        double observed = 0, extreme = 0;
        for (int i = 0; i < 14; ++i)
            observed += a[std::size_t(i)] - b[std::size_t(i)];
        for (unsigned pattern = 0; pattern < (1U << 14U); ++pattern) {
            double sum = 0;
            for (unsigned i = 0; i < 14; ++i)
                sum += (pattern >> i & 1U ? -1 : 1) * (a[i] - b[i]);
            extreme += std::abs(sum) >= std::abs(observed) - 1e-9;
        }
        const double expected = extreme / 16384;
        QVERIFY(expected > 0.001 && expected < 0.9);
        QVERIFY2(std::abs(drawn.p - expected) < 4 * std::sqrt(expected / 9999),
                 qPrintable(QString::number(drawn.p)));
    }

    void withoutADifferencePIsUniform() {
        std::mt19937 random(5);
        int below5 = 0, below50 = 0;
        for (unsigned round = 0; round < 1000; ++round) {
            std::vector<double> a, b;
            for (int i = 0; i < 20; ++i) {
                a.push_back(normal(random));
                b.push_back(normal(random));
            }
            const double p = pairedTest(a, b, {}, round, 299).p;
            QVERIFY(p > 0 && p <= 1);
            below5 += p <= 0.05;
            below50 += p <= 0.5;
        }
        QVERIFY2(below5 >= 25 && below5 <= 75, qPrintable(QString::number(below5)));
        QVERIFY2(below50 >= 440 && below50 <= 560, qPrintable(QString::number(below50)));
    }

    void pairsWithoutANumberAreLeftOut() {
        const auto test =
            pairedTest(std::vector<double>{3, kNone, 6, 1}, std::vector<double>{1, 1, 1, kNone});
        QCOMPARE(test.n, 2);
        QCOMPARE(test.difference, 3.5);
        QVERIFY(std::isnan(pairedTest(std::vector<double>{1}, std::vector<double>{0}).p));
        QCOMPARE(pairedTest(std::vector<double>(4, 1.0), std::vector<double>(4, 1.0)).p, 1.0);
        QVERIFY(std::isnan(pairedTest({}, {}).difference));
    }

    void listsThatDoNotFitAreAMistakeOfTheCaller() {
        const std::vector<double> two{1, 2}, three{1, 2, 3};
        QVERIFY_EXCEPTION_THROWN(pairedTest(two, three), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(estimateMean(two, std::vector<int>{1}), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(estimateMean(two, {}, 1, 0), std::invalid_argument);
    }

private:
    static constexpr double kLow = 6.95, kHigh = 11.9;
};

HEADROOM_TEST(StatisticsTest)

} // namespace headroom::testing::statistics_test

#include "statistics_test.moc"
