// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/word_distance.h"
#include "tests/support/runner.h"

#include <cmath>

#include <QTest>

namespace headroom::testing::word_distance_test {

namespace {

Interval word(const char* label, double start, double end) {
    return {Seconds(start), Seconds(end), label};
}

} // namespace

class WordDistanceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void matchesAreTheCheapestEdit() {
        const std::vector<std::string> left{"a", "b", "c", "d"}, right{"b", "x", "d", "e"};
        const std::vector<std::pair<std::size_t, std::size_t>> expected{{1, 0}, {3, 2}};
        QCOMPARE(matchingLabels(left, right), expected);
        QVERIFY(matchingLabels({}, right).empty());
    }

    void equalTimesAreZeroApart() {
        const std::vector<Interval> words{word("a", 0, 1), word("b", 1, 2)};
        const WordDistance distance = wordDistance(words, words);
        QCOMPARE(distance.words.size(), std::size_t(2));
        QCOMPARE(distance.mean, 0.0);
    }

    /// 0.1 early and 0.3 late: the mean of |−0.1| and |0.3|.
    void theMeanIsOverBothBoundaries() {
        const std::vector<Interval> found{word("The", 0.9, 2.3)}, reference{word("the", 1, 2)};
        const WordDistance distance = wordDistance(found, reference);
        QVERIFY(std::abs(distance.mean - 0.2) < 1e-12);
        QVERIFY(std::abs(distance.words.front().start.value() + 0.1) < 1e-12);
        QVERIFY(std::abs(distance.words.front().end.value() - 0.3) < 1e-12);
    }

    void caseAndPunctuationDoNotCount() {
        QCOMPARE(comparedWord("\"Don't,"), std::string("don't"));
        QCOMPARE(comparedWord("..."), std::string());
        const std::vector<Interval> found{word("Her.", 0, 1)}, reference{word("her", 0, 1)};
        QCOMPARE(wordDistance(found, reference).words.size(), std::size_t(1));
    }

    void silencesAndMisheardWordsDoNotCount() {
        const std::vector<Interval> found{word("a", 0, 1), word("cat", 1, 2), word("sat", 2, 3)};
        const std::vector<Interval> reference{word("", 0, 0.5), word("a", 0.5, 1), word("bat", 1, 9),
                                              word("sat", 9, 10)};
        const WordDistance distance = wordDistance(found, reference);
        QCOMPARE(distance.words.size(), std::size_t(2));
        QCOMPARE(distance.words[0].reference, std::size_t(1));
        QCOMPARE(distance.words[1].found, std::size_t(2));
        QVERIFY(std::abs(distance.mean - (0.5 + 0 + 7 + 7) / 4) < 1e-12);
    }

    void withoutACommonWordThereIsNoDistance() {
        const std::vector<Interval> found{word("a", 0, 1)};
        QVERIFY(std::isnan(wordDistance(found, {}).mean));
    }
};

HEADROOM_TEST(WordDistanceTest)

} // namespace headroom::testing::word_distance_test

#include "word_distance_test.moc"
