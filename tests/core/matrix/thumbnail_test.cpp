// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/matrix/max_pyramid.h"
#include "core/matrix/thumbnail.h"
#include "tests/support/runner.h"

#include <QtTest>
#include <random>

namespace headroom::testing::thumbnail_test {

class ThumbnailTest : public QObject {
    Q_OBJECT

    static Matrix<float> noise(std::size_t side) {
        std::mt19937 random(3);
        std::uniform_real_distribution<float> share(0, 1);
        Matrix<float> matrix(side, side);
        for (float& value : matrix.values())
            value = share(random);
        return matrix;
    }

private Q_SLOTS:
    void aSmallMatrixIsItsOwnThumbnail() {
        for (const std::size_t side : {std::size_t(1), std::size_t(37), kThumbnailSide}) {
            const Matrix<float> matrix = noise(side);
            QCOMPARE(thumbnailOf(matrix).values(), matrix.values());
            QCOMPARE(enlarged(matrix, side).values(), matrix.values());
        }
    }

    void aLargeOneBecomesSmallerByMaxima() {
        const Matrix<float> matrix = noise(2 * kThumbnailSide + 3);
        const Matrix<float> small = thumbnailOf(matrix);
        QCOMPARE(small.rows(), (kThumbnailSide + 3) / 2); // halved twice, rounded up
        float largest = 0;
        for (std::size_t row = 0; row < 4; ++row)
            for (std::size_t column = 4; column < 8; ++column)
                largest = std::max(largest, matrix(row, column));
        QCOMPARE(small(0, 1), largest);
    }

    /// So a picture of that size shows the same, whether it is drawn of the matrix or of its thumbnail.
    void theCoarseLevelsOfTheEnlargedOneAreThoseOfTheMatrix() {
        for (const std::size_t side : {kThumbnailSide + 1, std::size_t(250), std::size_t(1052)}) {
            const Matrix<float> matrix = noise(side), small = thumbnailOf(matrix);
            QVERIFY(small.rows() <= kThumbnailSide && 2 * small.rows() > kThumbnailSide);
            const MaxPyramid whole(matrix), large(enlarged(small, side));
            QCOMPARE(large.rows(), side);
            std::size_t same = 0;
            for (std::size_t level = 0; level < whole.levelCount(); ++level)
                if (whole.level(level).rows() <= small.rows()) {
                    QCOMPARE(large.level(level).values(), whole.level(level).values());
                    ++same;
                }
            QVERIFY(same > 6);
        }
    }

    void aThumbnailOfAnotherMapIsRefused() {
        for (const auto& [rows, columns, side] : {std::tuple(100, 100, 101), std::tuple(125, 124, 250), std::tuple(250, 250, 250), std::tuple(0, 0, 0)})
            QVERIFY_EXCEPTION_THROWN(enlarged(Matrix<float>(std::size_t(rows), std::size_t(columns)), std::size_t(side)), Error);
    }
};

HEADROOM_TEST(ThumbnailTest)

} // namespace headroom::testing::thumbnail_test

#include "thumbnail_test.moc"
