// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"
#include "training/decoding/ctc_prefix_search.h"
#include "training/decoding/log_sum.h"

#include <QTest>

#include <map>

namespace headroom::testing::ctc_prefix_search_test {

using namespace headroom::training;

namespace {

using Labels = std::vector<int>;

Matrix<double> logSoftmax(std::size_t rows, std::size_t columns, const std::vector<double>& logits) {
    Matrix<double> result(rows, columns, logits);
    for (std::size_t t = 0; t < rows; ++t) {
        double sum = kLogZero;
        for (const double value : result.row(t))
            sum = logSum(sum, value);
        for (double& value : result.row(t))
            value -= sum;
    }
    return result;
}

Matrix<double> drawn(std::size_t rows, std::size_t columns, unsigned seed) {
    std::uint64_t state = seed;
    std::vector<double> logits;
    for (std::size_t i = 0; i < rows * columns; ++i) {
        state = state * 6364136223846793005ULL + 1442695040888963407ULL;
        logits.push_back(static_cast<double>(state >> 40) / (1 << 22) - 2);
    }
    return logSoftmax(rows, columns, logits);
}

/// ln P of every label sequence, by the sum over all alignments, one after another.
std::map<Labels, double> everySequence(const Matrix<double>& logP) {
    std::map<Labels, double> sums;
    std::vector<std::size_t> path(logP.rows(), 0);
    for (;;) {
        Labels labels;
        double sum = 0;
        for (std::size_t t = 0; t < path.size(); ++t) {
            sum += logP(t, path[t]);
            if (path[t] != 0 && (t == 0 || path[t] != path[t - 1]))
                labels.push_back(static_cast<int>(path[t]));
        }
        const auto [place, isNew] = sums.try_emplace(labels, sum);
        if (!isNew)
            place->second = logSum(place->second, sum);
        std::size_t t = 0;
        while (t < path.size() && ++path[t] == logP.columns())
            path[t++] = 0;
        if (t == path.size())
            return sums;
    }
}

double languageModelSum(const Matrix<double>& bigram, const Labels& labels, bool end) {
    double sum = 0;
    int before = 0;
    for (const int label : labels) {
        sum += bigram(static_cast<std::size_t>(before), static_cast<std::size_t>(label));
        before = label;
    }
    return end ? sum + bigram(static_cast<std::size_t>(before), 0) : sum;
}

Matrix<double> readDoubles(const std::filesystem::path& file, bool softmax) {
    const Tensor tensor = readNpy(file);
    // Shape [T, V], or [1, T, V].
    const auto columns = static_cast<std::size_t>(tensor.shape.back());
    const auto rows = static_cast<std::size_t>(tensor.shape.at(tensor.shape.size() - 2));
    const auto values = toDoubles(tensor.view());
    return softmax ? logSoftmax(rows, columns, values) : Matrix<double>(rows, columns, values);
}

} // namespace

class CtcPrefixSearchTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aWideBeamFindsEverySequence_data() {
        QTest::addColumn<double>("weight");
        QTest::addColumn<double>("bonus");
        QTest::addColumn<bool>("end");
        QTest::newRow("alone") << 0.0 << 0.0 << false;
        QTest::newRow("length bonus") << 0.0 << 0.7 << false;
        QTest::newRow("bigram") << 0.8 << 0.5 << false;
        QTest::newRow("bigram and end") << 0.5 << -0.3 << true;
        QTest::newRow("negative weight") << -0.4 << 0.0 << false;
    }
    void aWideBeamFindsEverySequence() {
        QFETCH(double, weight);
        QFETCH(double, bonus);
        QFETCH(bool, end);
        for (unsigned seed = 1; seed <= 3; ++seed) {
            const Matrix<double> logP = drawn(5, 4, seed), bigram = drawn(4, 4, 50 + seed);
            const auto sums = everySequence(logP);
            BigramModel model(bigram);
            const auto found = ctcPrefixSearch(logP, {1000, 0, weight, bonus, end}, &model);
            QCOMPARE(found.size(), sums.size());
            double all = kLogZero;
            for (std::size_t i = 0; i < found.size(); ++i) {
                const double expected = sums.at(found[i].labels);
                QVERIFY(std::abs(found[i].ctc - expected) < 1e-12);
                QVERIFY(std::abs(ctcLogProbability(logP, found[i].labels) - expected) < 1e-12);
                QVERIFY(std::abs(found[i].score -
                                 (expected + weight * languageModelSum(bigram, found[i].labels, end) +
                                  bonus * static_cast<double>(found[i].labels.size()))) < 1e-12);
                QVERIFY(i == 0 || found[i].score <= found[i - 1].score);
                all = logSum(all, found[i].ctc);
            }
            QVERIFY(std::abs(all) < 1e-12); // every alignment is counted once
        }
    }

    void aNarrowBeamLosesNoBetterPrefixByPruning_data() {
        QTest::addColumn<int>("beam");
        for (const int beam : {1, 2, 7, 30})
            QTest::addRow("%d", beam) << beam;
    }
    void aNarrowBeamLosesNoBetterPrefixByPruning() { // against the search written down without any shortcut
        QFETCH(int, beam);
        const Matrix<double> logP = drawn(20, 30, 9), bigram = drawn(30, 30, 10);
        std::map<Labels, std::pair<double, double>> kept{{{}, {0, kLogZero}}};
        const double weight = 0.6, bonus = 0.4;
        const auto scoreOf = [&](const Labels& labels, const std::pair<double, double>& p) {
            return logSum(p.first, p.second) + weight * languageModelSum(bigram, labels, false) +
                   bonus * static_cast<double>(labels.size());
        };
        std::vector<std::pair<double, Labels>> ranked;
        for (std::size_t t = 0; t < logP.rows(); ++t) {
            std::map<Labels, std::pair<double, double>> next;
            const auto at = [&](const Labels& labels) -> auto& {
                return next.try_emplace(labels, kLogZero, kLogZero).first->second;
            };
            for (const auto& [labels, p] : kept) {
                const double total = logSum(p.first, p.second);
                at(labels).first = logSum(at(labels).first, total + logP(t, 0));
                if (!labels.empty())
                    at(labels).second = logSum(at(labels).second,
                                               p.second + logP(t, static_cast<std::size_t>(labels.back())));
                for (int label = 1; label < 30; ++label) {
                    Labels longer = labels;
                    longer.push_back(label);
                    const double from = !labels.empty() && labels.back() == label ? p.first : total;
                    at(longer).second =
                        logSum(at(longer).second, from + logP(t, static_cast<std::size_t>(label)));
                }
            }
            ranked.clear();
            for (const auto& [labels, p] : next)
                ranked.emplace_back(-scoreOf(labels, p), labels);
            std::sort(ranked.begin(), ranked.end());
            ranked.resize(std::min(ranked.size(), static_cast<std::size_t>(beam)));
            kept.clear();
            for (const auto& [score, labels] : ranked)
                kept[labels] = next[labels];
        }
        BigramModel model(bigram);
        const auto found = ctcPrefixSearch(logP, {beam, 0, weight, bonus, false}, &model);
        QCOMPARE(found.size(), ranked.size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QCOMPARE(found[i].labels, ranked[i].second);
            QVERIFY(std::abs(found[i].score + ranked[i].first) < 1e-10);
        }
    }

    void equalScoresAreOrderedByLabels() {
        const Matrix<double> flat(1, 4, std::log(0.25));
        const auto found = ctcPrefixSearch(flat, {3, 0, 0, 0, false});
        QCOMPARE(found.size(), std::size_t(3));
        QCOMPARE(found[0].labels, Labels());
        QCOMPARE(found[1].labels, Labels{1});
        QCOMPARE(found[2].labels, Labels{2});
    }

    void anotherBlankMovesTheLabels() {
        const Matrix<double> logP = logSoftmax(2, 3, {0, 3, 1, 2, 0, 5});
        const auto found = ctcPrefixSearch(logP, {100, 2, 0, 0, false});
        QCOMPARE(found.front().labels, Labels{1});
        QVERIFY(std::abs(ctcLogProbability(logP, {1}, 2) - found.front().ctc) < 1e-12);
    }

    void moreLabelsThanFramesAreImpossible() {
        QCOMPARE(ctcLogProbability(drawn(2, 4, 1), {1, 2, 3}), kLogZero);
        QCOMPARE(ctcLogProbability(drawn(2, 4, 1), {1, 1}), kLogZero); // needs a blank between
        QVERIFY(ctcLogProbability(drawn(2, 4, 1), {1, 2}) > kLogZero);
    }

    void settingsWithoutMeaningAreRejected() {
        QVERIFY_EXCEPTION_THROWN(ctcPrefixSearch(drawn(2, 4, 1), {0, 0, 0, 0, false}), Error);
        QVERIFY_EXCEPTION_THROWN(ctcPrefixSearch(drawn(2, 4, 1), {5, 4, 0, 0, false}), Error);
    }

    void goldenCasesAreFound() {
        if (testing::sharedData().empty())
            QSKIP(testing::kNoSharedData);
        const auto folder = testing::sharedData() / "parity/decoding";
        int clear = 0;
        const auto golden = testing::readJson(folder / "ctc/cases.json");
        for (const auto& one : golden.at("cases")) {
            const Matrix<double> logP = readDoubles(folder / one.at("logits").get<std::string>(), true);
            const Matrix<double> bigram = readDoubles(folder / one.at("bigram").get<std::string>(), false);
            const int blank = one.at("blank");
            if (one.contains("every_label_sequence"))
                for (const auto& sequence : one.at("every_label_sequence"))
                    QVERIFY(std::abs(ctcLogProbability(logP, sequence[0].get<Labels>(), blank) -
                                     sequence[1].get<double>()) < 1e-12);
            for (const auto& search : one.at("searches")) {
                BigramModel model(bigram);
                const auto found = ctcPrefixSearch(
                    logP,
                    {search.at("beam"), blank, search.at("lm_weight"), search.at("length_bonus"),
                     search.at("end_of_text")},
                    &model);
                QCOMPARE(static_cast<int>(found.size()), search.at("prefixes_kept").get<int>());
                if (search.at("smallest_margin").get<double>() < 1e-11)
                    continue;
                ++clear;
                std::size_t i = 0;
                for (const auto& expected : search.at("best")) {
                    QCOMPARE(found.at(i).labels, expected.at("labels").get<Labels>());
                    QVERIFY(std::abs(found[i].score - expected.at("score").get<double>()) < 1e-10);
                    QVERIFY(std::abs(found[i].ctc - expected.at("ctc_log_prob_in_the_beam").get<double>()) <
                            1e-10);
                    QVERIFY(std::abs(ctcLogProbability(logP, found[i].labels, blank) -
                                     expected.at("ctc_log_prob").get<double>()) < 1e-10);
                    ++i;
                }
            }
        }
        QVERIFY(clear > 300);
    }
};

HEADROOM_TEST(CtcPrefixSearchTest)

} // namespace headroom::testing::ctc_prefix_search_test

#include "ctc_prefix_search_test.moc"
