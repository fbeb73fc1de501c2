// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/phone_attention.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QtTest>
#include <random>

namespace headroom::testing::phone_coverage_test {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

bool same(double found, double expected, double tolerance) {
    return std::isnan(expected) ? std::isnan(found) : std::abs(found - expected) <= tolerance;
}

/// A map of the kind that comes out, some cells undefined, some equal, some zero.
Matrix<double> randomPar(std::mt19937& random, double undefined) {
    std::uniform_real_distribution<double> uniform(0, 1);
    Matrix<double> par(36, 36);
    for (double& value : par.values()) {
        value = std::floor(3000 * uniform(random) * uniform(random)) / 1000;
        if (uniform(random) < undefined)
            value = kNone;
    }
    return par;
}

/// Eq. 6: every column is asked whether fewer than ten are before it.
double plainCoverage(const Matrix<double>& par, const Matrix<double>& reference) {
    double sum = 0, rows = 0;
    for (std::size_t p = 0; p < 36; ++p) {
        double covered = 0, cells = 0;
        for (std::size_t q = 0; q < 36; ++q) {
            int before = 0;
            for (std::size_t other = 0; other < 36; ++other)
                before += reference(p, other) > reference(p, q) ||
                          (reference(p, other) == reference(p, q) && other < q);
            if (before >= 10 || std::isnan(reference(p, q)) || std::isnan(par(p, q)))
                continue;
            cells += 1;
            covered += reference(p, q) == 0 ? 1 : std::min(par(p, q) / reference(p, q), 1.0);
        }
        if (cells > 0) {
            sum += covered / cells;
            rows += 1;
        }
    }
    return rows > 0 ? sum / rows : kNone;
}

} // namespace

/// How much of a reference's phone attention a model covers. Shim et al. 2022, Eq. 6.
class PhoneCoverageTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void coverageIsWhatEquationSixSays() {
        std::mt19937 random(5);
        for (int round = 0; round < 1000; ++round) {
            const double undefined = round % 4 == 0 ? 0.9 : 0.2;
            const auto par = randomPar(random, undefined), reference = randomPar(random, undefined);
            QVERIFY(same(phoneAttentionCoverage(par, reference), plainCoverage(par, reference), 1e-8));
        }
        QVERIFY(std::isnan(phoneAttentionCoverage(Matrix<double>(36, 36, kNone), Matrix<double>(36, 36))));
    }

    void theReferenceCoversItself() { // O16
        std::mt19937 random(6);
        for (int round = 0; round < 50; ++round) {
            auto par = randomPar(random, 0.3);
            QCOMPARE(phoneAttentionCoverage(par, par), 1.0);
            for (double& value : par.values())
                value += 0.5; // nothing is wholly covered by nothing, also by half of it
            Matrix<double> twice = par;
            for (double& value : twice.values())
                value *= 2;
            QCOMPARE(phoneAttentionCoverage(par, twice), 0.5);
        }
    }

    void accumulatedCoverageIsThatOfTheMeanOfTheFirstLayers() {
        std::mt19937 random(7);
        for (int round = 0; round < 1000; ++round) {
            std::vector<Matrix<double>> layers;
            for (std::size_t layer = 0; layer < 1 + std::size_t(round) % 4; ++layer)
                layers.push_back(randomPar(random, 0.3));
            const auto reference = randomPar(random, 0.1);
            const auto coverage = accumulatedCoverage(layers, reference);
            QCOMPARE(coverage.size(), layers.size());
            for (std::size_t last = 0; last < layers.size(); ++last) {
                Matrix<double> mean(36, 36, kNone);
                for (std::size_t cell = 0; cell < 36 * 36; ++cell) {
                    double sum = 0, defined = 0;
                    for (std::size_t layer = 0; layer <= last; ++layer)
                        if (!std::isnan(layers[layer].values()[cell])) {
                            sum += layers[layer].values()[cell];
                            defined += 1;
                        }
                    if (defined > 0)
                        mean.values()[cell] = sum / defined;
                }
                QVERIFY(same(coverage[last], plainCoverage(mean, reference), 1e-8));
            }
        }
        QVERIFY(accumulatedCoverage({}, Matrix<double>(36, 36)).empty());
    }
};

HEADROOM_TEST(PhoneCoverageTest)

} // namespace headroom::testing::phone_coverage_test

#include "phone_coverage_test.moc"
