// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/runner.h"
#include "training/decoding/beam_search.h"
#include "training/decoding/ctc_prefix_scorer.h"
#include "training/decoding/ctc_prefix_search.h"
#include "training/decoding/log_sum.h"

#include <QTest>

#include <map>

namespace headroom::testing::ctc_prefix_scorer_test {

using namespace headroom::training;

namespace {

using Labels = std::vector<int>;
constexpr int kVocabulary = 5; // blank 0, </s> 2

Matrix<double> drawnRows(std::size_t rows, unsigned seed) {
    Matrix<double> result(rows, kVocabulary);
    std::uint64_t state = seed;
    for (std::size_t t = 0; t < rows; ++t) {
        double sum = kLogZero;
        for (double& value : result.row(t)) {
            state = state * 6364136223846793005ULL + 1442695040888963407ULL;
            value = static_cast<double>(state >> 40) / (1 << 22) - 2;
        }
        result(t, 2) = -40; // </s> is no sound
        for (const double value : result.row(t))
            sum = logSum(sum, value);
        for (double& value : result.row(t))
            value -= sum;
    }
    return result;
}

/// Every label sequence of at most `longest` labels without </s>.
void forEachSequence(std::size_t longest, const std::function<void(const Labels&)>& visit,
                     Labels labels = {}) {
    visit(labels);
    if (labels.size() == longest)
        return;
    for (const int label : {1, 3, 4}) {
        labels.push_back(label);
        forEachSequence(longest, visit, labels);
        labels.pop_back();
    }
}

} // namespace

class CtcPrefixScorerTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aRowIsTheSumOverAllTextsThatBeginSo() {
        const Matrix<double> logP = drawnRows(5, 3);
        std::map<Labels, double> begins, is; // ln P of the texts that begin so, and of the text itself
        forEachSequence(5, [&](const Labels& labels) {
            is[labels] = ctcLogProbability(logP, labels);
            for (std::size_t length = 0; length <= labels.size(); ++length) {
                const auto [place, isNew] = begins.try_emplace(
                    Labels(labels.begin(), labels.begin() + static_cast<std::ptrdiff_t>(length)), kLogZero);
                place->second = logSum(place->second, is[labels]);
            }
        });
        forEachSequence(3, [&](const Labels& labels) {
            CtcPrefixScorer scorer({logP});
            Matrix<float> row;
            Labels inputs{2};
            inputs.insert(inputs.end(), labels.begin(), labels.end());
            for (const int token : inputs) {
                const std::int64_t parent = 0;
                row = scorer.extend(std::span(&parent, 1), std::span(&token, 1));
            }
            const double whole = begins.at(labels);
            QVERIFY(std::isinf(row(0, 0))); // the blank
            QVERIFY(std::abs(static_cast<double>(row(0, 2)) - (is.at(labels) - whole)) < 1e-5);
            for (const int next : {1, 3, 4}) {
                Labels longer = labels;
                longer.push_back(next);
                const auto found = static_cast<double>(row(0, static_cast<std::size_t>(next)));
                if (begins.at(longer) == kLogZero) // too few frames for a blank between equal labels
                    QVERIFY(std::isinf(found));
                else
                    QVERIFY(std::abs(found - (begins.at(longer) - whole)) < 1e-5);
            }
        });
    }

    void aSearchFindsTheLikeliestText() {
        for (unsigned seed = 1; seed < 6; ++seed) {
            const Matrix<double> logP = drawnRows(6, seed);
            CtcPrefixScorer scorer({logP, drawnRows(4, 50)});
            BeamSettings settings;
            settings.beams = 500;
            settings.lengthPenalty = 0;
            settings.maxNewTokens = 8;
            const auto found = beamSearch(scorer, 2, settings).front().front();
            const auto best = ctcPrefixSearch(logP, {2000, 0, 0, 0, false}).front();
            Labels ids = best.labels;
            ids.push_back(2);
            QCOMPARE(found.ids, ids);
            QVERIFY(std::abs(found.sum - best.ctc) < 1e-5);
        }
    }
};

HEADROOM_TEST(CtcPrefixScorerTest)

} // namespace headroom::testing::ctc_prefix_scorer_test

#include "ctc_prefix_scorer_test.moc"
