// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matrix/max_pyramid.h"
#include "tests/support/runner.h"

#include <cmath>
#include <limits>
#include <QtTest>
#include <random>

namespace headroom::testing::max_pyramid_test {

namespace {

constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

float plainMaximum(const Matrix<float>& matrix, std::size_t row, std::size_t column, std::size_t height,
                   std::size_t width) {
    float result = kNaN;
    for (std::size_t i = row; i < std::min(row + height, matrix.rows()); ++i)
        for (std::size_t j = column; j < std::min(column + width, matrix.columns()); ++j)
            result = std::fmax(result, matrix(i, j));
    return result;
}

bool same(float one, float other) {
    return one == other || (std::isnan(one) && std::isnan(other));
}

} // namespace

class MaxPyramidTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aOneTokenDiagonalSurvivesEveryLevel() {
        for (const std::size_t side : {1U, 2U, 3U, 17U, 166U, 1052U}) {
            Matrix<float> matrix(side, side);
            for (std::size_t i = 0; i < side; ++i)
                matrix(i, i) = 1;
            const MaxPyramid pyramid(std::move(matrix));
            for (std::size_t index = 0; index < pyramid.levelCount(); ++index) {
                const auto& level = pyramid.level(index);
                for (std::size_t i = 0; i < level.rows(); ++i)
                    for (std::size_t j = 0; j < level.columns(); ++j)
                        QCOMPARE(level(i, j), i == j ? 1.0F : 0.0F);
            }
            QCOMPARE(pyramid.level(pyramid.levelCount() - 1).values().size(), std::size_t(1));
        }
    }

    void anOddLastRowOrColumnStandsAlone() {
        const MaxPyramid pyramid(Matrix<float>(3, 5, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14}));
        QCOMPARE(pyramid.levelCount(), std::size_t(4));
        QCOMPARE(pyramid.level(1).rows(), std::size_t(2));
        QCOMPARE(pyramid.level(1).columns(), std::size_t(3));
        QCOMPARE(pyramid.level(1).values(), (std::vector<float>{6, 8, 9, 11, 13, 14}));
    }

    void maximaAreExactForEveryRectangle() {
        std::mt19937 random(7);
        for (const auto& [rows, columns] :
             std::vector<std::pair<std::size_t, std::size_t>>{{9, 13}, {16, 7}, {1, 11}}) {
            Matrix<float> matrix(rows, columns);
            for (float& value : matrix.values())
                value = random() % 5 == 0 ? kNaN : static_cast<float>(random() % 1000) - 500;
            const MaxPyramid pyramid(matrix);
            for (std::size_t row = 0; row <= rows; ++row)
                for (std::size_t column = 0; column <= columns; ++column)
                    for (std::size_t height = 0; height <= rows + 1; ++height)
                        for (std::size_t width = 0; width <= columns + 1; ++width)
                            QVERIFY(same(pyramid.maximum(row, column, height, width),
                                         plainMaximum(matrix, row, column, height, width)));
        }
    }

    void hugeExtentsAreClippedWithoutOverflow() {
        const MaxPyramid pyramid(Matrix<float>(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9}));
        const auto huge = std::numeric_limits<std::size_t>::max();
        QCOMPARE(pyramid.maximum(1, 0, huge, huge), 9.0F);
        QVERIFY(std::isnan(pyramid.maximum(huge, 0, huge, huge)));
    }

    void nothingIsNaNNotZero() {
        QVERIFY(std::isnan(MaxPyramid().maximum(0, 0, 1, 1)));
        QVERIFY(MaxPyramid(Matrix<float>()).empty());
        const MaxPyramid allNaN(Matrix<float>(4, 4, kNaN));
        QVERIFY(std::isnan(allNaN.maximum(0, 0, 4, 4)));
    }
};

HEADROOM_TEST(MaxPyramidTest)

} // namespace headroom::testing::max_pyramid_test

#include "max_pyramid_test.moc"
