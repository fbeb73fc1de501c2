// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/windows.h"
#include "tests/core/analysis/published_windows.h"
#include "tests/support/runner.h"

#include <QtTest>

namespace headroom::testing::windows_test {

namespace {

/// A map whose diagonals up to `band` are above 0.01 in the mean, the rest below.
Matrix<double> banded(std::size_t side, std::size_t band) {
    Matrix<double> map(side, side, 0.0001);
    for (std::size_t i = 0; i < side; ++i)
        for (std::size_t j = 0; j < side; ++j)
            if ((i > j ? i - j : j - i) <= band)
                map(i, j) = 0.02;
    return map;
}

void fillDiagonal(Matrix<double>& map, std::size_t offset, double value) {
    for (std::size_t i = 0; i + offset < map.rows(); ++i)
        map(i, i + offset) = value;
}

std::int64_t statistic(const Matrix<double>& map, const WindowSearchSettings& settings = {}) {
    return windowStatistic(DiagonalProfile(map.view()), settings);
}

} // namespace

class WindowsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void allPublishedWindowsComeOut_data() { // O6
        QTest::addColumn<double>("mean");
        QTest::addColumn<double>("deviation");
        QTest::addColumn<qint64>("window");
        for (const auto& row : testing::kPublishedWindows)
            QTest::addRow("%s layer %d", row.languages, row.layer)
                << row.mean << row.deviation << static_cast<qint64>(row.window);
    }

    void allPublishedWindowsComeOut() {
        QFETCH(double, mean);
        QFETCH(double, deviation);
        QFETCH(qint64, window);
        QCOMPARE(windowFromStatistic(mean, deviation), window);
    }

    void theLossSeparatesTheLayersThatStayedFull() {
        for (const auto& row : testing::kPublishedWindows)
            QCOMPARE(row.loss > kFullAboveLoss, row.full);
    }

    void windowsAreOddAndAtLeastOne() {
        QCOMPARE(windowFromStatistic(0, 0), 1);
        QCOMPARE(windowFromStatistic(0.2, 0), 1);
        QCOMPARE(windowFromStatistic(2, 0), 3);
        QCOMPARE(windowFromStatistic(16.28, 3.86), 21);
        QCOMPARE(windowFromStatistic(4.1, 0.9), 5);
        QCOMPARE(windowFromStatistic(3.0000000000000004, 0), 3); // what (0.1 + 0.2) · 10 is in double
    }

    void theBandIsFound() { // O7
        for (const std::size_t band : {0U, 1U, 4U, 12U})
            QCOMPARE(statistic(banded(100, band)), static_cast<std::int64_t>(2 * band));
    }

    void asPrintedIsOneMore() {
        WindowSearchSettings settings;
        settings.statistic = WindowStatistic::AsPrinted;
        QCOMPARE(statistic(banded(100, 4), settings), 9);
    }

    void aLoneDiagonalBeyondTheTenthIsIgnored() { // O7: offsets 5 … 14 fail, the walk ends there
        auto map = banded(100, 4);
        fillDiagonal(map, 15, 0.02);
        QCOMPARE(statistic(map), 8);
    }

    void aLoneDiagonalInsideTheTenthIsKept() { // O7: offsets 5 … 13 fail, nine in a row
        auto map = banded(100, 4);
        fillDiagonal(map, 14, 0.02);
        QCOMPARE(statistic(map), 28);
    }

    void oneSideIsEnough() {
        Matrix<double> map(50, 50, 0.0001);
        fillDiagonal(map, 0, 0.5);
        fillDiagonal(map, 1, 0.5);
        QCOMPARE(statistic(map), 2);
    }

    void theThresholdItselfDoesNotPass() {
        Matrix<double> map(40, 40);
        fillDiagonal(map, 0, 0.5);
        fillDiagonal(map, 1, 0.25);
        WindowSearchSettings settings;
        settings.threshold = 0.25;
        QCOMPARE(statistic(map, settings), 0);
        settings.threshold = 0.2499;
        QCOMPARE(statistic(map, settings), 2);
    }

    void belowTenTokensTheFirstFailureStops() {
        Matrix<double> map(9, 9);
        fillDiagonal(map, 0, 0.5);
        fillDiagonal(map, 2, 0.5);
        QCOMPARE(statistic(map), 0);
    }

    void withoutAnEarlyStopItEndsAtTheCorner() {
        QCOMPARE(statistic(Matrix<double>(30, 30, 1.0 / 30)), 58);
        QCOMPARE(windowStatistic(DiagonalProfile()), 0);
    }
};

HEADROOM_TEST(WindowsTest)

} // namespace headroom::testing::windows_test

#include "windows_test.moc"
