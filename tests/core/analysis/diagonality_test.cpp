// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagonality.h"
#include "core/analysis/masked_loss.h"
#include "tests/support/runner.h"

#include <cmath>
#include <numeric>
#include <QtTest>
#include <random>

namespace headroom::testing::diagonality_test {

namespace {

/// Rows sum to 1; denser near the diagonal.
Matrix<double> randomMap(std::size_t side, unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0.01, 1);
    Matrix<double> map(side, side);
    for (std::size_t i = 0; i < side; ++i) {
        double sum = 0;
        for (std::size_t j = 0; j < side; ++j) {
            const double distance = std::abs(static_cast<double>(i) - static_cast<double>(j));
            map(i, j) = uniform(random) / (1 + distance);
            sum += map(i, j);
        }
        for (double& value : map.row(i))
            value /= sum;
    }
    return map;
}

Matrix<double> uniformMap(std::size_t side) {
    return Matrix<double>(side, side, 1.0 / static_cast<double>(side));
}

Matrix<double> identityMap(std::size_t side) {
    Matrix<double> map(side, side);
    for (std::size_t i = 0; i < side; ++i)
        map(i, i) = 1;
    return map;
}

/// Eq. 6 as it is printed.
double plainDiagonality(const Matrix<double>& map, std::int64_t window) {
    double sum = 0;
    for (std::size_t i = 0; i < map.rows(); ++i)
        for (std::size_t j = 0; j < map.columns(); ++j)
            if (std::abs(static_cast<std::int64_t>(i) - static_cast<std::int64_t>(j)) <= window / 2)
                sum += map(i, j);
    return sum / static_cast<double>(map.rows());
}

void near(double found, double expected, double tolerance, int line) {
    if (!(std::abs(found - expected) <= tolerance))
        QFAIL(qPrintable(
            QString("line %1: %2 instead of %3").arg(line).arg(found, 0, 'g', 17).arg(expected, 0, 'g', 17)));
}
#define NEAR(found, expected, tolerance)                                                                     \
    near(found, expected, tolerance, __LINE__);                                                              \
    if (QTest::currentTestFailed())                                                                          \
    return

} // namespace

class DiagonalityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void fromTheProfileItIsEquationSix() { // O3
        for (const std::size_t side : {1U, 2U, 7U, 31U}) {
            const auto map = randomMap(side, 3);
            const DiagonalProfile profile(map.view());
            const auto all = cumulativeDiagonality(profile);
            QCOMPARE(all.size(), 2 * side);
            for (std::size_t window = 1; window <= 2 * side; ++window) {
                const double expected = plainDiagonality(map, static_cast<std::int64_t>(window));
                NEAR(diagonality(profile, static_cast<std::int64_t>(window)), expected, 1e-12);
                NEAR(all[window - 1], expected, 1e-12);
                NEAR(contributionLoss(profile, static_cast<std::int64_t>(window)), 1 - expected, 1e-12);
            }
        }
    }

    /// Everything that a masked head cannot see, cell by cell; of a causal map the two readings are one.
    void ofMaskedHeadsWhatComesLaterIsLostToo() {
        for (const std::size_t side : {1U, 2U, 7U, 31U}) {
            Matrix<double> map = randomMap(side, 4);
            for (const bool causal : {false, true}) {
                for (std::size_t i = 0; causal && i < side; ++i)
                    for (std::size_t j = i + 1; j < side; ++j)
                        map(i, j) = 0;
                const DiagonalProfile profile(map.view());
                for (const std::int64_t window : {0, 1, 3, 9, 99}) {
                    double lost = 0, total = 0;
                    for (std::int64_t i = 0; i < static_cast<std::int64_t>(side); ++i)
                        for (std::int64_t j = 0; j < static_cast<std::int64_t>(side); ++j) {
                            const double cell = map(static_cast<std::size_t>(i), static_cast<std::size_t>(j));
                            total += cell;
                            lost += j > i || (window > 0 && i - j > window / 2) ? cell : 0;
                        }
                    NEAR(maskedContributionLoss(profile, window), lost / total, 1e-12);
                    if (causal) {
                        NEAR(maskedContributionLoss(profile, window), window == 0 ? 0 : contributionLoss(profile, window), 1e-12);
                    }
                }
            }
        }
        QVERIFY(std::isnan(maskedContributionLoss(DiagonalProfile(), 5)));
    }

    void itNeverFallsAndEndsAtExactlyOne() { // O3
        const DiagonalProfile profile(randomMap(40, 5).view());
        const auto all = cumulativeDiagonality(profile);
        for (std::size_t index = 1; index < all.size(); ++index)
            QVERIFY(all[index] >= all[index - 1]);
        QCOMPARE(all.back(), 1.0);
        QCOMPARE(diagonality(profile, 80), 1.0);
        QCOMPARE(diagonality(profile, 1000000), 1.0);
    }

    void itChangesOnlyAtEvenWindows() {
        const DiagonalProfile profile(randomMap(12, 9).view());
        for (std::int64_t half = 1; half < 12; ++half)
            QCOMPARE(diagonality(profile, 2 * half), diagonality(profile, 2 * half + 1));
        QVERIFY(diagonality(profile, 1) < diagonality(profile, 2));
    }

    void windowsBelowOneAreAMistakeOfTheCaller() {
        const DiagonalProfile profile(identityMap(3).view());
        QVERIFY_EXCEPTION_THROWN(diagonality(profile, 0), std::invalid_argument);
    }

    void rawNormsGiveTheSameShares() {
        auto map = randomMap(20, 11);
        const DiagonalProfile shares(map.view());
        for (double& value : map.values())
            value *= 17;
        const DiagonalProfile raw(map.view());
        NEAR(diagonality(raw, 5), diagonality(shares, 5), 1e-12);
        NEAR(cumulativeContributionDiagonality(raw), cumulativeContributionDiagonality(shares), 1e-12);
        NEAR(cumulativeAttentionDiagonality(raw), cumulativeAttentionDiagonality(shares), 1e-12);
    }

    void ccdIsTheMeanOfD() { // O4
        for (const std::size_t side : {1U, 2U, 9U, 50U}) {
            const DiagonalProfile profile(randomMap(side, 1).view());
            const auto all = cumulativeDiagonality(profile);
            const double sum = std::accumulate(all.begin(), all.end(), 0.0);
            NEAR(cumulativeContributionDiagonality(profile), sum / static_cast<double>(all.size()), 1e-9);
            double trapezoid = 0;
            for (std::size_t index = 1; index < all.size(); ++index)
                trapezoid += (all[index - 1] + all[index]) / 2;
            NEAR(cumulativeContributionDiagonalityTrapezoid(profile),
                 trapezoid / static_cast<double>(all.size() - 1), 1e-9);
        }
    }

    void cadOfAnIdentityMapIsOne() { // O5
        NEAR(cumulativeAttentionDiagonality(DiagonalProfile(identityMap(50).view())), 1, 1e-12);
        NEAR(cumulativeAttentionDiagonalityTrapezoid(DiagonalProfile(identityMap(50).view())), 1, 1e-12);
        QCOMPARE(cumulativeAttentionDiagonality(DiagonalProfile(identityMap(1).view())), 1.0);
        QCOMPARE(cumulativeAttentionDiagonalityTrapezoid(DiagonalProfile(identityMap(1).view())), 1.0);
    }

    void cadOfAUniformMapIsNearTwoThirds() { // O5
        for (const std::size_t side : {2U, 50U, 1000U}) {
            const double length = static_cast<double>(side);
            const double expected = 1 - (length + 1) / (3 * length);
            NEAR(cumulativeAttentionDiagonality(DiagonalProfile(uniformMap(side).view())), expected, 1e-9);
        }
        NEAR(cumulativeAttentionDiagonality(DiagonalProfile(uniformMap(50).view())), 0.66, 1e-9);
    }

    void theTrapezoidOfCadIsTheIntegralOverItsNodes() { // O5
        const DiagonalProfile profile(randomMap(30, 2).view());
        double trapezoid = 0, integral = 0; // nodes r = k/(N−1); the step function holds D_k on [k, k + 1)
        for (std::int64_t k = 0; k + 1 < profile.size(); ++k) {
            const double here = diagonality(profile, 2 * k + 1), next = diagonality(profile, 2 * k + 3);
            trapezoid += (here + next) / 2 / 29;
            integral += here / 29;
        }
        NEAR(cumulativeAttentionDiagonalityTrapezoid(profile), trapezoid, 1e-9);
        NEAR(cumulativeAttentionDiagonality(profile), integral, 1e-9);
    }

    void withoutAProfileThereIsNoNumber() {
        const DiagonalProfile nothing;
        QVERIFY(std::isnan(diagonality(nothing, 5)));
        QVERIFY(std::isnan(contributionLoss(nothing, 5)));
        QVERIFY(std::isnan(cumulativeContributionDiagonality(nothing)));
        QVERIFY(std::isnan(cumulativeContributionDiagonalityTrapezoid(nothing)));
        QVERIFY(std::isnan(cumulativeAttentionDiagonality(nothing)));
        QVERIFY(std::isnan(cumulativeAttentionDiagonalityTrapezoid(nothing)));
        QVERIFY(cumulativeDiagonality(nothing).empty());
    }

    void aHeadWithoutAMapHasNoNumber() {
        const DiagonalProfile profile(std::vector<double>(9, std::nan("")));
        QVERIFY(std::isnan(cumulativeAttentionDiagonality(profile)));
        QVERIFY(std::isnan(diagonality(profile, 3)));
    }
};

HEADROOM_TEST(DiagonalityTest)

} // namespace headroom::testing::diagonality_test

#include "diagonality_test.moc"
