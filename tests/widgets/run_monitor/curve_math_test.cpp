// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "widgets/run_monitor/curve_math.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

namespace headroom::testing::curve_math_test {

using namespace headroom::widgets;

namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

Curve noise(int count) {
    std::mt19937 random(3);
    std::normal_distribution<double> value;
    Curve curve;
    for (int i = 0; i < count; ++i) {
        curve.x.push_back(i);
        curve.y.push_back(value(random));
    }
    return curve;
}

} // namespace

class CurveMathTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void smoothingIsTensorBoardsAverage() {
        // By hand: s = 0.6 s + 0.4 y, divided by 1 − 0.6ⁿ.
        const Curve curve = smoothed({{0, 1, 2}, {1, 2, 4}}, 0.6);
        QCOMPARE(curve.y[0], 1.0);
        QVERIFY(std::abs(curve.y[1] - (0.6 * 0.4 + 0.4 * 2) / (1 - 0.36)) < 1e-12);
        QVERIFY(std::abs(curve.y[2] - (0.6 * (0.6 * 0.4 + 0.4 * 2) + 0.4 * 4) / (1 - 0.216)) < 1e-12);
    }

    void smoothingKeepsAConstantAndItsGaps() {
        const Curve curve = smoothed({{0, 1, 2, 3}, {5, kGap, 5, 5}}, 0.9);
        QVERIFY(std::isnan(curve.y[1]));
        for (const std::size_t i : {0, 2, 3})
            QVERIFY(std::abs(curve.y[i] - 5) < 1e-12);
    }

    void withoutWeightNothingChanges() {
        const Curve curve = noise(10);
        QVERIFY(smoothed(curve, 0) == curve);
    }

    void decimationKeepsEveryExtreme() {
        const Curve curve = noise(100000);
        const Curve few = decimated(curve, 0, 99999, 300);
        QVERIFY(few.x.size() <= 4 * 301);
        QVERIFY(few.x.size() > 600);
        QCOMPARE(*std::max_element(few.y.begin(), few.y.end()),
                 *std::max_element(curve.y.begin(), curve.y.end()));
        QCOMPARE(*std::min_element(few.y.begin(), few.y.end()),
                 *std::min_element(curve.y.begin(), curve.y.end()));
        QVERIFY(std::is_sorted(few.x.begin(), few.x.end()));
        QCOMPARE(few.x.front(), 0.0);
        QCOMPARE(few.x.back(), 99999.0);
    }

    void decimationOfAPartKeepsItsNeighbours() {
        const Curve curve = noise(10000);
        const Curve few = decimated(curve, 5000, 5999, 50);
        QCOMPARE(few.x.front(), 4999.0);
        QCOMPARE(few.x.back(), 6000.0);
    }

    void fewPointsAreNotTouched() {
        const Curve curve = noise(100);
        QVERIFY(decimated(curve, 0, 99, 50) == curve);
    }

    void gapsSurviveDecimation() {
        Curve curve = noise(10000);
        curve.y[5000] = kGap;
        const Curve few = decimated(curve, 0, 9999, 100);
        QVERIFY(std::any_of(few.y.begin(), few.y.end(), [](double y) { return std::isnan(y); }));
    }

    void seedsGiveMeanAndSampleDeviation() {
        const Curve curves[] = {{{0, 1}, {1, 4}}, {{0, 1}, {3, 4}}, {{0, 1}, {5, 4}}};
        const CurveBand band = meanAndDeviation(curves);
        QCOMPARE(band.mean.y, (std::vector<double>{3, 4}));
        QCOMPARE(band.deviation, (std::vector<double>{2, 0}));
        QCOMPARE(band.count, (std::vector<int>{3, 3}));
    }

    void aShorterSeedCountsWhereItIs() {
        const Curve curves[] = {{{0, 10}, {0, 10}}, {{0, 5, 20}, {2, 7, 22}}};
        const CurveBand band = meanAndDeviation(curves);
        QCOMPARE(band.mean.x, (std::vector<double>{0, 5, 10, 20}));
        QCOMPARE(band.mean.y, (std::vector<double>{1, 6, 11, 22})); // read linearly between its own points
        QCOMPARE(band.count, (std::vector<int>{2, 2, 2, 1}));
        QVERIFY(std::isnan(band.deviation[3]));
    }

    /// What is left of a mean of three is no continuation of it.
    void aLineIsInterruptedWhereTheNumberOfSeedsChanges() {
        const Curve line{{1, 2, 3, 4, 5}, {10, 20, 30, 40, 50}};
        const std::vector<int> count{3, 3, 2, 2, 1}, part{0, 0, 1, 1, 2};
        QVERIFY(whereCounted(line, count, part, 3, 3) == (Curve{{1, 2}, {10, 20}}));
        const Curve fewer = whereCounted(line, count, part, 1, 2);
        QCOMPARE(fewer.x, (std::vector<double>{3, 4, 5, 5}));
        QVERIFY(std::isnan(fewer.y[2]));
        QCOMPARE(fewer.y[3], 50.0);
    }

    /// The last value of one seed was joined with the first of another.
    void aLineIsInterruptedWhereAnotherSeedCounts() {
        const Curve curves[] = {{{1, 2}, {1, 1}}, {{3, 4}, {9, 9}}};
        const CurveBand band = meanAndDeviation(curves);
        QCOMPARE(band.count, (std::vector<int>{1, 1, 1, 1}));
        const Curve fewer = whereCounted(band.mean, band.count, band.part, 1, 1);
        QCOMPARE(fewer.x, (std::vector<double>{1, 2, 3, 3, 4}));
        QVERIFY(std::isnan(fewer.y[2]));
    }

    void pointsBeforeAllSeedsCountAreALeadIfTheyMakeNoLine() {
        const auto leadOf = [](std::vector<Curve> curves) {
            const CurveBand band = meanAndDeviation(curves);
            return loneLead(band.count, band.part, static_cast<int>(curves.size()));
        };
        QCOMPARE(leadOf({{{1, 2, 3}, {1, 1, 1}}, {{1, 2, 3}, {9, 9, 9}}}), 0U);
        QCOMPARE(leadOf({{{1, 2, 3}, {1, 1, 1}}, {{1.1, 2.1}, {9, 9}}}), 1U);
        QCOMPARE(leadOf({{{1, 2, 3}, {1, 1, 1}}, {{1.1, 2.1}, {9, 9}}, {{1.2, 2.2}, {9, 9}}}), 2U);
        QCOMPARE(leadOf({{{1, 2, 3}, {1, 1, 1}}, {{2.1, 3.1}, {9, 9}}}), 0U); // a line from 1 to 2
        QCOMPARE(leadOf({{{1, 2}, {1, 1}}, {{3, 4}, {9, 9}}}), 0U);           // never together
    }

    void onlyPointsThatWereMeasuredAreRead() {
        const Curve curve{{1, 3}, {10, 20}};
        QVERIFY(pointAt(curve, 1) == 0U);
        QVERIFY(pointAt(curve, 2.9) == 0U); // not yet measured again
        QVERIFY(pointAt(curve, 3) == 1U);
        QVERIFY(!pointAt(curve, 0.9) && !pointAt(curve, 3.1) && !pointAt({}, 0));
    }

    void hoursCountFromTheGivenTime() {
        const RunCurves::Point points[] = {{10, 1, 5000}, {20, 2, 5000 + 1800}};
        QCOMPARE(toCurve(points, CurveAxis::Hours, 5000).x, (std::vector<double>{0, 0.5}));
        QCOMPARE(toCurve(points, CurveAxis::Updates, 5000).x, (std::vector<double>{10, 20}));
    }
};

HEADROOM_TEST(CurveMathTest)

} // namespace headroom::testing::curve_math_test

#include "curve_math_test.moc"
