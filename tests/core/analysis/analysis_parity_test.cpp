// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/diagonality.h"
#include "core/analysis/windows.h"
#include "core/tensors/npy.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <QtTest>

namespace headroom::testing::analysis_parity_test {

namespace {

struct Golden {
    std::filesystem::path folder = testing::classGoldens() / "parity" / "contributions";
    nlohmann::json summary = nlohmann::json::parse(std::ifstream(folder / "summary.json"));
    Tensor array(const std::string& name) const { return readNpy(folder / (name + ".npy")); }
};

/// Layer `index` (as stored) of an array [layers, …].
std::vector<double> layerOf(const Tensor& all, std::size_t index) {
    const auto values = toDoubles(all.view());
    const std::size_t each = values.size() / static_cast<std::size_t>(all.shape[0]);
    return {values.begin() + static_cast<std::ptrdiff_t>(index * each),
            values.begin() + static_cast<std::ptrdiff_t>((index + 1) * each)};
}

double largestDifference(const std::vector<double>& one, const std::vector<double>& other) {
    if (one.size() != other.size())
        return std::nan("");
    double largest = 0;
    for (std::size_t i = 0; i < one.size(); ++i)
        largest = std::max(largest, std::abs(one[i] - other[i]));
    return largest;
}

} // namespace

/// Against what an independent implementation computed from a model (float64 `short`, float32 `medium` and
/// `long`).
class AnalysisParityTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase_data() { testing::addGoldenFolders(); }

    void profilesAgree() {
        const Golden golden;
        for (const auto& [name, tolerance] : {std::pair("short", 1e-9), std::pair("medium", 1e-5)}) {
            const auto maps = golden.array(std::string(name) + ".contribution");
            const auto profiles = golden.array(std::string(name) + ".diagonal_profile");
            const auto side = static_cast<std::size_t>(maps.shape[1]);
            for (std::size_t layer = 0; layer < static_cast<std::size_t>(maps.shape[0]); ++layer) {
                const Matrix<double> map(side, side, layerOf(maps, layer));
                const DiagonalProfile profile(map.view());
                QVERIFY(largestDifference(profile.sums(), layerOf(profiles, layer)) < tolerance);
            }
        }
    }

    void measuresAgree_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("short") << "short";
        QTest::newRow("medium") << "medium";
        QTest::newRow("long") << "long";
    }

    void measuresAgree() {
        QFETCH(QString, name);
        const Golden golden;
        const auto& expected = golden.summary[name.toStdString()];
        const auto profiles = golden.array(name.toStdString() + ".diagonal_profile");
        const auto diagonalities = golden.array(name.toStdString() + ".diagonality");
        const auto layers = static_cast<std::size_t>(profiles.shape[0]);
        QVERIFY(layers >= 2);
        for (std::size_t layer = 0; layer < layers; ++layer) {
            const DiagonalProfile profile(layerOf(profiles, layer));
            QVERIFY(largestDifference(cumulativeDiagonality(profile), layerOf(diagonalities, layer)) < 1e-9);
            QVERIFY(std::abs(diagonality(profile, 1) - expected["diagonal_share"][layer].get<double>()) <
                    1e-9);
            QVERIFY(std::abs(cumulativeContributionDiagonality(profile) -
                             expected["ccd"][layer].get<double>()) < 1e-9);
            QVERIFY(std::abs(cumulativeContributionDiagonalityTrapezoid(profile) -
                             expected["ccd_trapezoid"][layer].get<double>()) < 1e-9);
            for (const int window : {5, 17, 33})
                QVERIFY(std::abs(contributionLoss(profile, window) -
                                 expected["cl"][std::to_string(window)][layer].get<double>()) < 1e-9);
            const auto& algorithm = expected["algorithm1"][layer];
            QCOMPARE(windowStatistic(profile), algorithm["raw_statistic"].get<std::int64_t>());
            WindowSearchSettings printed;
            printed.statistic = WindowStatistic::AsPrinted;
            QCOMPARE(windowStatistic(profile, printed), algorithm["as_printed"].get<std::int64_t>());
        }
    }
};

HEADROOM_TEST(AnalysisParityTest)

} // namespace headroom::testing::analysis_parity_test

#include "analysis_parity_test.moc"
