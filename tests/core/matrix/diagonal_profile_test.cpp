// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/matrix/diagonal_profile.h"
#include "tests/support/runner.h"

#include <QtTest>
#include <stdexcept>

namespace headroom::testing::diagonal_profile_test {

class DiagonalProfileTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void sumsRunFromTheLowerLeftToTheUpperRight() {
        const Matrix<float> matrix(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
        const DiagonalProfile profile(matrix.view());
        QCOMPARE(profile.size(), 3);
        QCOMPARE(profile.sums(), (std::vector<double>{7, 4 + 8, 1 + 5 + 9, 2 + 6, 3}));
        QCOMPARE(profile.at(-2), 7.0);
        QCOMPARE(profile.at(1), 8.0);
        QCOMPARE(profile.total(), 45.0);
    }

    void meanDividesByTheDiagonalsOwnLength() {
        const Matrix<double> matrix(3, 3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
        const DiagonalProfile profile(matrix.view());
        QCOMPARE(profile.mean(0), 5.0);
        QCOMPARE(profile.mean(1), 4.0);
        QCOMPARE(profile.mean(-2), 7.0);
    }

    void outsideTheMatrixEverythingIsZero() {
        const DiagonalProfile profile(std::vector<double>{1, 2, 3});
        for (const std::int64_t offset : {-2, 2, 1000, -1000}) {
            QCOMPARE(profile.at(offset), 0.0);
            QCOMPARE(profile.mean(offset), 0.0);
        }
    }

    void anEmptyMatrixHasAnEmptyProfile() {
        const DiagonalProfile profile(Matrix<float>().view());
        QVERIFY(profile.empty());
        QCOMPARE(profile.size(), 0);
        QCOMPARE(profile.at(0), 0.0);
        QCOMPARE(profile.total(), 0.0);
    }

    void aMatrixThatIsNotSquareIsRefused() {
        const Matrix<float> matrix(2, 3);
        QVERIFY_EXCEPTION_THROWN(DiagonalProfile{matrix.view()}, std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(DiagonalProfile(std::vector<double>{1, 2}), std::invalid_argument);
    }

    void floatsAreAddedInDouble() {
        // 2^24 + 1 does not exist in float: a float sum would stay at 2^24.
        Matrix<float> matrix(3, 3);
        matrix(0, 0) = 16777216.0F;
        matrix(1, 1) = 1;
        matrix(2, 2) = 1;
        QCOMPARE(DiagonalProfile(matrix.view()).at(0), 16777218.0);
    }
};

HEADROOM_TEST(DiagonalProfileTest)

} // namespace headroom::testing::diagonal_profile_test

#include "diagonal_profile_test.moc"
