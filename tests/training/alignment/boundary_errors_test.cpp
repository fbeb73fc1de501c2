// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "training/alignment/boundary_errors.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::boundary_errors_test {

using namespace headroom::training;

namespace {

Alignment phones(const std::vector<std::pair<double, std::string>>& starts) {
    Alignment alignment;
    for (std::size_t i = 0; i < starts.size(); ++i)
        alignment.phones.push_back(
            {Seconds(starts[i].first),
             Seconds(i + 1 < starts.size() ? starts[i + 1].first : starts[i].first + 0.1), starts[i].second});
    return alignment;
}

} // namespace

class BoundaryErrorsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void medianAndNinetiethAreThoseOfTheDifferences() {
        BoundaryComparison comparison;
        Alignment ours, theirs;
        const char* names[] = {"B", "D", "G", "K", "P", "T", "M", "N", "L", "R"};
        for (int i = 0; i < 10; ++i) { // 1, 2, … 10 ms late
            theirs.phones.push_back({Seconds(i), Seconds(i + 1), names[i]});
            ours.phones.push_back({Seconds(i + 0.001 * (i + 1)), Seconds(i + 1), names[i]});
        }
        comparison.add(ours, theirs);
        const auto errors = comparison.phones();
        QCOMPARE(errors.count, std::int64_t(10));
        QVERIFY(std::abs(errors.median - 5.5) < 1e-6);
        QVERIFY(std::abs(errors.ninetieth - 9) < 1e-6);
        QCOMPARE(errors.within20, 1.0);
        QVERIFY(std::abs(comparison.phoneBias() - 5.5) < 1e-6);
    }

    void anotherPronunciationIsNoError() {
        BoundaryComparison comparison;
        comparison.add(
            phones({{0, "sil"}, {0.1, "DH"}, {0.2, "IY"}, {0.3, "AO"}, {0.4, "NG"}}),
            phones({{0, "sp"}, {0.11, "DH"}, {0.21, "AH0"}, {0.33, "aa1"}, {0.35, "R"}, {0.4, "NG"}}));
        const auto errors = comparison.phones(); // DH 10, AA 30, NG 0; IY is not AH
        QCOMPARE(errors.count, std::int64_t(3));
        QVERIFY(std::abs(errors.median - 10) < 1e-6);
    }

    void wordsAreComparedWithoutCase() {
        Alignment ours, theirs;
        ours.words = {{Seconds(0), Seconds(1), ""}, {Seconds(1), Seconds(2), "IT'S"}};
        theirs.words = {{Seconds(1.05), Seconds(2), "it's"}};
        BoundaryComparison comparison;
        comparison.add(ours, theirs);
        QCOMPARE(comparison.words().count, std::int64_t(1));
        QVERIFY(std::abs(comparison.words().median - 50) < 1e-6);
        QVERIFY(std::isnan(comparison.phones().median)); // nothing to compare is not 0
    }
};

HEADROOM_TEST(BoundaryErrorsTest)

} // namespace headroom::testing::boundary_errors_test

#include "boundary_errors_test.moc"
