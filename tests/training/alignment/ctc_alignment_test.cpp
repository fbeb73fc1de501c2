// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "training/alignment/ctc_alignment.h"
#include "training/data/random.h"

#include <QTest>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

namespace headroom::testing::ctc_alignment_test {

using namespace headroom::training;

namespace {

constexpr float kNever = -std::numeric_limits<float>::infinity();

struct Case {
    Matrix<float> scores;
    std::vector<int> labels;
    CtcTopology topology;
};

Case randomCase(std::uint64_t seed) {
    Random random({seed, 7});
    const auto columns = static_cast<std::size_t>(2 + random.below(3));
    Case made{Matrix<float>(static_cast<std::size_t>(1 + random.below(7)), columns), {}, {}};
    for (auto& value : made.scores.values())
        value = random.below(12) == 0 ? kNever : -static_cast<float>(random.below(1'000'000)) / 100'000;
    const auto count = random.below(5);
    for (std::int64_t i = 0; i < count; ++i)
        made.labels.push_back(1 + static_cast<int>(random.below(static_cast<std::int64_t>(columns) - 1)));
    made.topology.blankBetweenEqual = random.below(2) == 0;
    if (random.below(2) == 0)
        for (std::size_t i = 0; i <= made.labels.size(); ++i)
            made.topology.blankAllowed.push_back(random.below(3) > 0);
    return made;
}

/// The score of the best way to lay the labels over the tokens, by trying all of them. Nothing like the
/// states of Viterbi: for each label a stretch of tokens, and the blank where there is none.
double bestByTrying(const Case& made) {
    const auto tokens = made.scores.rows();
    const auto allowed = [&](std::size_t place) {
        return made.topology.blankAllowed.empty() || made.topology.blankAllowed[place];
    };
    double best = kNever;
    const std::function<void(std::size_t, std::size_t, double)> place = [&](std::size_t label,
                                                                            std::size_t from, double score) {
        if (label == made.labels.size()) {
            if (from < tokens && !allowed(label))
                return;
            for (auto token = from; token < tokens; ++token)
                score += made.scores(token, 0);
            best = std::max(best, score);
            return;
        }
        for (auto first = from; first < tokens; ++first) {
            if (first > from && !allowed(label))
                break;
            const bool equal = label > 0 && made.labels[label] == made.labels[label - 1];
            if (first == from && equal && made.topology.blankBetweenEqual) {
                score += made.scores(first, 0);
                continue;
            }
            double inside = score;
            for (auto last = first; last < tokens; ++last) {
                inside += made.scores(last, static_cast<std::size_t>(made.labels[label]));
                place(label + 1, last + 1, inside);
            }
            score += made.scores(first, 0);
        }
    };
    place(0, 0, 0);
    return best;
}

double scoreOf(const Case& made, const CtcAlignment& path) {
    double score = 0;
    std::size_t label = 0;
    for (std::size_t token = 0; token < made.scores.rows(); ++token) {
        while (label < path.labels.size() && token >= path.labels[label].last)
            ++label;
        const bool inside = label < path.labels.size() && token >= path.labels[label].first;
        score += made.scores(token, inside ? static_cast<std::size_t>(made.labels[label]) : 0);
    }
    return score;
}

} // namespace

class CtcAlignmentTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsWhatTryingEverythingFinds() {
        int possible = 0;
        for (std::uint64_t seed = 0; seed < 3000; ++seed) {
            const auto made = randomCase(seed);
            const double best = bestByTrying(made);
            const auto path = alignCtc(made.scores, made.labels, made.topology);
            QCOMPARE(path.has_value(), std::isfinite(best));
            if (!path)
                continue;
            ++possible;
            QVERIFY2(std::abs(path->score - best) < 1e-4, qPrintable(QString("seed %1").arg(seed)));
            QVERIFY2(std::abs(scoreOf(made, *path) - best) < 1e-4, qPrintable(QString("seed %1").arg(seed)));
            QCOMPARE(path->labels.size(), made.labels.size());
            for (std::size_t i = 0; i < path->labels.size(); ++i) {
                QVERIFY(path->labels[i].first < path->labels[i].last);
                QVERIFY(i == 0 || path->labels[i - 1].last <= path->labels[i].first);
            }
        }
        QVERIFY(possible > 1000);
    }

    void moreLabelsThanTokensAreImpossible() {
        const Matrix<float> scores(3, 3, -1.0F);
        QVERIFY(alignCtc(scores, std::vector<int>{1, 2, 1}));
        QVERIFY(!alignCtc(scores, std::vector<int>{1, 2, 1, 2}));
        QVERIFY(!alignCtc(scores, std::vector<int>{1, 1, 2})); // the two equal ones need a blank between
        CtcTopology together;
        together.blankBetweenEqual = false;
        QVERIFY(alignCtc(scores, std::vector<int>{1, 1, 2}, together));
    }

    void withoutLabelsEveryTokenIsBlank() {
        const Matrix<float> scores(4, 2, -0.5F);
        const auto path = alignCtc(scores, {});
        QVERIFY(path);
        QVERIFY(path->labels.empty());
        QCOMPARE(path->score, -2.0);
        QVERIFY(alignCtc(Matrix<float>(), {}));
        QVERIFY(!alignCtc(Matrix<float>(), std::vector<int>{1}));
    }

    void labelsOutsideAreAMistake() {
        const Matrix<float> scores(4, 2);
        QVERIFY_EXCEPTION_THROWN(alignCtc(scores, std::vector<int>{2}), std::invalid_argument);
        CtcTopology topology;
        topology.blank = 2;
        QVERIFY_EXCEPTION_THROWN(alignCtc(scores, std::vector<int>{1}, topology), std::invalid_argument);
        topology.blank = 0;
        topology.blankAllowed = {true};
        QVERIFY_EXCEPTION_THROWN(alignCtc(scores, std::vector<int>{1}, topology), std::invalid_argument);
    }
};

HEADROOM_TEST(CtcAlignmentTest)

} // namespace headroom::testing::ctc_alignment_test

#include "ctc_alignment_test.moc"
