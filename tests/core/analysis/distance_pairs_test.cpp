// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/distance_pairs.h"
#include "tests/support/runner.h"

#include <QTest>

#include <cmath>
#include <random>

namespace headroom::testing::distance_pairs_test {

class DistancePairsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void ofEqualPairsTheEarlierQueryAndKeyAreTaken() {
        const Matrix<float> map(3, 3, {0, 2, 0, 2, NAN, 2, 0, 2, 0});
        const auto pairs = strongestByDistance(map.view());
        QCOMPARE(pairs.size(), std::size_t(3));
        QCOMPARE(pairs[0].value, 0.0); // zeros and NaN are no pairs
        QCOMPARE(pairs[1].value, 2.0);
        QVERIFY(pairs[1].query == 0 && pairs[1].key == 1);
        QCOMPARE(pairs[2].value, 0.0);
    }

    /// Few different values, so that many are equal.
    void diagonalsSayTheSameAsTheMap() {
        std::mt19937 generator(7);
        for (int repeat = 0; repeat < 500; ++repeat) {
            const auto size = static_cast<std::int64_t>(1 + generator() % 7);
            Matrix<float> map(static_cast<std::size_t>(size), static_cast<std::size_t>(size));
            for (float& value : map.values())
                value = static_cast<float>(generator() % 3);
            std::vector<double> values(static_cast<std::size_t>(2 * size - 1)), queries(values.size());
            for (std::int64_t query = 0; query < size; ++query)
                for (std::int64_t key = 0; key < size; ++key) {
                    const auto place = static_cast<std::size_t>(key - query + size - 1);
                    const double value = static_cast<double>(map(static_cast<std::size_t>(query), static_cast<std::size_t>(key)));
                    if (value > values[place]) {
                        values[place] = value;
                        queries[place] = static_cast<double>(query);
                    }
                }
            const auto expected = strongestByDistance(map.view()), found = strongestByDistance(values, queries);
            QCOMPARE(found.size(), expected.size());
            for (std::size_t d = 0; d < found.size(); ++d)
                QVERIFY(found[d].value == expected[d].value && found[d].query == expected[d].query && found[d].key == expected[d].key);
        }
    }
};

HEADROOM_TEST(DistancePairsTest)

} // namespace headroom::testing::distance_pairs_test

#include "distance_pairs_test.moc"
