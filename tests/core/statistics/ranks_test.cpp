// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/ranks.h"
#include "tests/support/runner.h"

#include <QtTest>

#include <cmath>
#include <limits>
#include <random>

namespace headroom::testing::ranks_test {

class RanksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void equalValuesShareTheMeanOfTheirRanks() {
        QCOMPARE(averageRanks(std::vector<double>{3, 1, 3, 0, 3}), (std::vector<double>{4, 2, 4, 1, 4}));
        QVERIFY(averageRanks({}).empty());
    }

    void withoutTiesItIsTheClosedForm() { // 1 − 6 Σ d² / (n (n² − 1))
        std::mt19937 random(3);
        std::uniform_real_distribution<double> uniform;
        std::vector<double> a, b;
        for (int i = 0; i < 40; ++i) {
            a.push_back(uniform(random));
            b.push_back(a.back() + uniform(random));
        }
        double squares = 0;
        for (std::size_t i = 0; i < a.size(); ++i) {
            double rankA = 1, rankB = 1;
            for (std::size_t j = 0; j < a.size(); ++j) {
                rankA += a[j] < a[i];
                rankB += b[j] < b[i];
            }
            squares += (rankA - rankB) * (rankA - rankB);
        }
        QVERIFY(std::abs(spearman(a, b) - (1 - 6 * squares / (40.0 * (1600 - 1)))) <= 1e-12);
    }

    void anIncreasingFunctionKeepsEveryRank() {
        const std::vector<double> a{0.1, 0.5, 0.2, 0.9};
        std::vector<double> b;
        for (const double value : a)
            b.push_back(std::exp(value));
        QCOMPARE(spearman(a, b), 1.0);
        for (double& value : b)
            value = -value;
        QCOMPARE(spearman(a, b), -1.0);
    }

    void whatHasNoOrderIsUndefined() {
        QVERIFY(std::isnan(spearman(std::vector<double>{1, 1, 1}, std::vector<double>{1, 2, 3})));
        QVERIFY(std::isnan(spearman(std::vector<double>{1}, std::vector<double>{2})));
        const double nan = std::numeric_limits<double>::quiet_NaN();
        QVERIFY(std::isnan(spearman(std::vector<double>{1, nan}, std::vector<double>{1, 2})));
        QVERIFY_EXCEPTION_THROWN(spearman(std::vector<double>{1, 2}, std::vector<double>{1}),
                                 std::invalid_argument);
    }
};

HEADROOM_TEST(RanksTest)

} // namespace headroom::testing::ranks_test

#include "ranks_test.moc"
