// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/phone_attention.h"
#include "tests/support/runner.h"

#include "core/analysis/diagonality.h"
#include "core/analysis/head_metrics.h"
#include "core/analysis/strongest_pairs.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <QtTest>
#include <random>

namespace headroom::testing::phone_attention_test {

namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
const int kS = *phoneClass("S"), kT = *phoneClass("T");

bool same(double found, double expected, double tolerance) {
    return std::isnan(expected) ? std::isnan(found) : std::abs(found - expected) <= tolerance;
}

/// Positive weights whose rows sum to 1 in float, as a softmax gives them; now and then a row of zeros.
Matrix<float> randomMap(std::size_t side, std::mt19937& random, bool emptyRows) {
    std::uniform_real_distribution<float> uniform(0.001F, 1);
    Matrix<float> map(side, side);
    for (std::size_t i = 0; i < side; ++i) {
        if (emptyRows && random() % 10 == 0)
            continue;
        float sum = 0;
        for (float& value : map.row(i))
            sum += value = uniform(random) * uniform(random);
        for (float& value : map.row(i))
            value /= sum;
    }
    return map;
}

/// Runs of one to three tokens of few classes, silence and unknown labels among them.
std::vector<int> randomPhones(std::size_t tokens, std::mt19937& random) {
    std::vector<int> phones;
    while (phones.size() < tokens) {
        const unsigned drawn = random() % 7;
        const int phone = drawn < 5    ? static_cast<int>(drawn * 7)
                          : drawn == 5 ? kSilenceClass
                                       : kUnknownPhone;
        phones.insert(phones.end(), 1 + random() % 3, phone);
    }
    phones.resize(tokens);
    return phones;
}

bool isSpoken(int phone) {
    return phone >= 0 && phone != kSilenceClass;
}

/// Eq. 4 and 5 as they are printed, with choice 20: pair by pair over the whole sequence.
Matrix<double> plainPhoneAttention(const Matrix<float>& map, const std::vector<int>& phones) {
    const std::size_t tokens = phones.size();
    double length = 0;
    for (const int phone : phones)
        length += isSpoken(phone);
    Matrix<double> weights(tokens, tokens);
    std::vector<bool> counts(tokens);
    for (std::size_t i = 0; i < tokens; ++i) {
        double total = 0;
        for (std::size_t j = 0; j < tokens; ++j)
            total += isSpoken(phones[j]) ? double(map(i, j)) : 0;
        counts[i] = isSpoken(phones[i]) && total > 0;
        for (std::size_t j = 0; j < tokens; ++j)
            weights(i, j) = double(map(i, j)) / total;
    }
    const auto inRunOf = [&](std::size_t i, std::size_t j) {
        for (std::size_t k = std::min(i, j); k <= std::max(i, j); ++k)
            if (phones[k] != phones[i])
                return false;
        return true;
    };
    Matrix<double> par(36, 36, kNone);
    for (int p = 0; p < 36; ++p)
        for (int q = 0; q < 36; ++q) {
            double sum = 0, queries = 0, keys = 0, inner = 0, innerQueries = 0;
            for (std::size_t j = 0; j < tokens; ++j)
                keys += phones[j] == q;
            for (std::size_t i = 0; i < tokens; ++i) {
                if (phones[i] != p || !counts[i])
                    continue;
                queries += 1;
                double others = 0, toOthers = 0;
                for (std::size_t j = 0; j < tokens; ++j) {
                    if (phones[j] != q)
                        continue;
                    sum += weights(i, j);
                    if (p == q && !inRunOf(i, j)) {
                        others += 1;
                        toOthers += weights(i, j);
                    }
                }
                if (others > 0) {
                    inner += length / others * toOthers;
                    innerQueries += 1;
                }
            }
            if (p != q && queries > 0 && keys > 0)
                par(p, q) = length / (queries * keys) * sum;
            if (p == q && innerQueries > 0)
                par(p, q) = inner / innerQueries;
        }
    return par;
}

Interval interval(double start, double end, const char* label) {
    return {Seconds(start), Seconds(end), label};
}

} // namespace

class PhoneAttentionTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void itIsWhatTheEquationsSay() {
        std::mt19937 random(1);
        int undefinedDiagonals = 0, definedDiagonals = 0;
        for (int round = 0; round < 1500; ++round) {
            const std::size_t tokens = random() % 26;
            const auto phones = randomPhones(tokens, random);
            const auto map = randomMap(tokens, random, round % 3 == 0);
            const auto par = phoneAttention(map, spokenTokens(phones));
            const auto expected = plainPhoneAttention(map, phones);
            for (std::size_t cell = 0; cell < 36 * 36; ++cell)
                QVERIFY2(same(par.values()[cell], expected.values()[cell], 1e-9),
                         qPrintable(QString("round %1, cell %2: %3 instead of %4")
                                        .arg(round)
                                        .arg(cell)
                                        .arg(par.values()[cell])
                                        .arg(expected.values()[cell])));
            for (std::size_t p = 0; p < 36; ++p)
                std::isnan(par(p, p)) ? ++undefinedDiagonals : ++definedDiagonals;
        }
        QVERIFY(undefinedDiagonals > 1000 && definedDiagonals > 1000);
    }

    void aUniformMapGivesOneForEveryDefinedPair() { // O15
        std::mt19937 random(2);
        for (std::size_t tokens = 1; tokens < 60; ++tokens) {
            const auto phones = randomPhones(tokens, random);
            const Matrix<float> map(tokens, tokens, 1.0F / static_cast<float>(tokens));
            const auto par = phoneAttention(map, spokenTokens(phones));
            for (const double value : par.values())
                QVERIFY(std::isnan(value) || std::abs(value - 1) < 1e-9);
        }
    }

    void theOwnRunIsLeftOutOfTheDiagonal() { // O15: S S T S S
        const std::vector<int> phones{kS, kS, kT, kS, kS};
        Matrix<float> map(5, 5);
        // Every S gives 0.5 to its own run, 0.2 to T and 0.3 to the other run; T gives all to itself.
        for (const std::size_t i : {0U, 1U, 3U, 4U})
            for (std::size_t j = 0; j < 5; ++j)
                map(i, j) = j == 2 ? 0.2F : ((i < 2) == (j < 2) ? 0.25F : 0.15F);
        map(2, 2) = 1;
        const auto par = phoneAttention(map, spokenTokens(phones));
        const auto s = static_cast<std::size_t>(kS), t = static_cast<std::size_t>(kT);
        QVERIFY(same(par(s, s), 5 * 0.15, 1e-6));
        QVERIFY(same(par(s, t), 5 * 0.2, 1e-6));
        QVERIFY(std::isnan(par(t, t))); // one run: undefined, not 0
        QVERIFY(same(par(t, s), 0, 1e-9));
    }

    void silenceBreaksARun() {
        const std::vector<int> phones{kS, kSilenceClass, kS};
        const auto spoken = spokenTokens(phones);
        QCOMPARE(spoken.size(), 2);
        QCOMPARE(spoken.runs, (std::vector<int>{0, 1}));
        Matrix<float> map(3, 3, 1.0F / 3);
        const auto s = static_cast<std::size_t>(kS);
        QVERIFY(same(phoneAttention(map, spoken)(s, s), 1, 1e-9));
        QCOMPARE(spokenTokens(std::vector<int>{kS, kS}).runs, (std::vector<int>{0, 0}));
    }

    void withoutSpeechNothingIsDefined() {
        const std::vector<int> silence(4, kSilenceClass);
        const auto par = phoneAttention(Matrix<float>(4, 4, 0.25F), spokenTokens(silence));
        QVERIFY(
            std::all_of(par.values().begin(), par.values().end(), [](double v) { return std::isnan(v); }));
        QVERIFY(phoneAttention(Matrix<float>(), SpokenTokens()).rows() == 36);
    }

    void aMapThatDoesNotFitIsAMistakeOfTheCaller() {
        const auto spoken = spokenTokens(std::vector<int>{kS, kT, kS});
        QVERIFY_EXCEPTION_THROWN(phoneAttention(Matrix<float>(2, 2), spoken), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(phoneAttention(Matrix<float>(3, 4), spoken), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(spokenMap(Matrix<float>(2, 2), spoken), std::invalid_argument);
        QVERIFY_EXCEPTION_THROWN(phoneAttentionCoverage(Matrix<double>(2, 2), Matrix<double>(36, 36)),
                                 std::invalid_argument);
    }

    void labelsAreReadAsTheMapSays() {
        const std::vector<Interval> phones{{Seconds(0), Seconds(0.1), "O"},
                                           {Seconds(0.1), Seconds(0.2), "Q"}};
        const TokenClock clock = TokenClock::affine(Seconds(0.0125), Seconds(0.04));
        const auto plain = tokenPhones(phones, clock, 4);
        PhoneMap map;
        map.set("O", 10);
        map.set("Q", kSilenceClass);
        const auto mapped = tokenPhones(phones, map, clock, 4);
        QCOMPARE(plain[0], kUnknownPhone);
        QCOMPARE(mapped[0], 10);
        QCOMPARE(mapped[3], kSilenceClass);
    }

    void aRowWithoutSpeechCountsNothing() {
        const auto map = withoutEmptyRows(Matrix<float>(2, 2, {0.25F, 0.75F, NAN, NAN}));
        QCOMPARE(map(0, 1), 0.75F);
        QCOMPARE(map(1, 0) + map(1, 1), 0.0F);
    }

    void theMiddleLayerIsInTheLowerHalf() {
        QCOMPARE(lastOfLowerHalf(16), 7);
        QCOMPARE(lastOfLowerHalf(3), 1);
        QCOMPARE(lastOfLowerHalf(1), 0);
    }

    void theSpokenMapIsCompactAndItsRowsSumToOne() {
        std::mt19937 random(3);
        for (int round = 0; round < 1000; ++round) {
            const std::size_t tokens = random() % 20;
            const auto phones = randomPhones(tokens, random);
            const auto map = randomMap(tokens, random, true);
            const auto spoken = spokenTokens(phones);
            const auto compact = spokenMap(map, spoken);
            QCOMPARE(compact.rows(), spoken.tokens.size());
            for (std::size_t i = 0; i < compact.rows(); ++i) {
                double total = 0, sum = 0;
                for (std::size_t j = 0; j < tokens; ++j)
                    total += isSpoken(phones[j]) ? double(map(std::size_t(spoken.tokens[i]), j)) : 0;
                for (std::size_t j = 0; j < compact.columns(); ++j) {
                    const auto from = map(std::size_t(spoken.tokens[i]), std::size_t(spoken.tokens[j]));
                    QVERIFY(same(double(compact(i, j)), total > 0 ? double(from) / total : kNone, 1e-6));
                    sum += double(compact(i, j));
                }
                QVERIFY(same(sum, total > 0 ? 1 : kNone, 1e-5));
            }
        }
    }

    void aTokenHasThePhoneOfItsCentre() {
        const std::vector<Interval> phones{interval(0, 0.05, "HH"), interval(0.05, 0.05, "T"),
                                           interval(0.05, 0.13, "AH0"), interval(0.14, 0.18, "brrr"),
                                           interval(0.18, 0.24, "sil")};
        // Centres: 0.01, 0.05, 0.09, 0.13, 0.17, 0.21, 0.25.
        const auto clock = TokenClock::affine(Seconds(0.01), Seconds(0.04));
        const int hh = *phoneClass("HH"), ah = *phoneClass("AH");
        QCOMPARE(tokenPhones(phones, clock, 7),
                 (std::vector<int>{hh, ah, ah, kSilenceClass, kUnknownPhone, kSilenceClass, kSilenceClass}));
        QVERIFY(tokenPhones(phones, clock, 0).empty());
        QCOMPARE(tokenPhones({}, clock, 2), (std::vector<int>{kSilenceClass, kSilenceClass}));
    }

    void tokensAreAssignedAsASearchThroughAllIntervalsWould() {
        std::mt19937 random(4);
        for (int round = 0; round < 1000; ++round) {
            std::vector<Interval> phones;
            double time = 0.01 * (random() % 4);
            for (unsigned count = random() % 9; count > 0; --count) {
                const double end = time + 0.02 * (random() % 5);
                phones.push_back(interval(time, end, kPhoneClasses[random() % 36].data()));
                time = end + (random() % 3 == 0 ? 0.03 : 0);
            }
            const auto clock = TokenClock::affine(Seconds(0.0125), Seconds(0.04));
            const auto found = tokenPhones(phones, clock, 12);
            for (std::int64_t token = 0; token < 12; ++token) {
                int expected = kSilenceClass;
                for (const Interval& phone : phones)
                    if (phone.start <= clock.centre(Tokens(token)) && clock.centre(Tokens(token)) < phone.end)
                        expected = phoneClass(phone.label).value_or(kUnknownPhone);
                QCOMPARE(found[static_cast<std::size_t>(token)], expected);
            }
        }
    }

    void theMeanCountsCellsByTheirWeight() {
        PhoneAttentionMean mean;
        mean.add(3, 4, 1, 2);
        mean.add(3, 4, 4, 1);
        mean.add(3, 4, kNone, 5);
        QCOMPARE(mean.mean()(3, 4), 2.0);
        QCOMPARE(mean.counts()(3, 4), 2);
        Matrix<double> one(36, 36, kNone);
        one(5, 6) = 7;
        const std::vector<Matrix<double>> maps{Matrix<double>(), one};
        QCOMPARE(meanPhoneAttention(maps)(5, 6), 7.0);
        QVERIFY(meanPhoneAttention({}).empty());
    }

    void theStrongestPairOfACellIsTheFirstOfItsList() {
        std::mt19937 random(23);
        const std::vector<int> phones = randomPhones(60, random);
        const Matrix<float> map = randomMap(60, random, true);
        const SpokenTokens spoken = spokenTokens(phones);
        const std::vector<int> classes{0, 7, 14, 21, 28};
        const Matrix<TokenPair> strongest = strongestPairs(map, spoken, classes);
        for (std::size_t p = 0; p < classes.size(); ++p)
            for (std::size_t q = 0; q < classes.size(); ++q) {
                const auto pairs = strongestPairs(map, spoken, classes[p], classes[q], 1);
                QVERIFY(!pairs.empty());
                QCOMPARE(strongest(p, q).query, pairs[0].query);
                QCOMPARE(strongest(p, q).key, pairs[0].key);
                QCOMPARE(strongest(p, q).ofUniform, pairs[0].weight * double(spoken.size()));
            }
    }

    void headMetricsAreOfTheTokensThatCount() {
        std::mt19937 random(29);
        std::vector<int> phones = randomPhones(40, random);
        phones[0] = kSilenceClass;
        const Matrix<float> map = randomMap(40, random, false);
        const SpokenTokens spoken = spokenTokens(phones);
        const SilentTokens silent(phones);
        const HeadMetrics whole = headMetrics(map, MapKeys::AllTokens, silent.span(), nullptr);
        QCOMPARE(whole.cad, cumulativeAttentionDiagonality(DiagonalProfile(map.view())));
        QCOMPARE(whole.curve.size(), std::size_t(101));
        QCOMPARE(whole.statistics.onSilence, attentionStatistics(map, silent.span()).onSilence);
        QVERIFY(whole.statistics.onSilence > 0);
        const HeadMetrics speech = headMetrics(map, MapKeys::AllTokens, silent.span(), &spoken);
        const Matrix<float> compact = spokenMap(map, spoken);
        QCOMPARE(speech.cad, cumulativeAttentionDiagonality(DiagonalProfile(compact.view())));
        QCOMPARE(speech.statistics.entropy, whole.statistics.entropy); // of the map as it is
        const HeadMetrics compressed = headMetrics(map, MapKeys::Compressed, silent.span(), &spoken);
        QVERIFY(std::isnan(compressed.cad) && compressed.curve.empty());
        QVERIFY(std::isnan(compressed.statistics.meanDistance) && std::isnan(compressed.statistics.onSilence));
        QVERIFY(std::isnan(headMetrics(Matrix<float>(), MapKeys::AllTokens, {}, nullptr).statistics.entropy));
    }

    void theMeanSaysInHowManyAPairIsDefined() {
        PhoneAttentionMean mean;
        Matrix<double> one(36, 36, kNone), other(36, 36, kNone);
        one(3, 4) = 1;
        other(3, 4) = 2;
        other(5, 6) = 7;
        mean.add(one);
        mean.add(other);
        QCOMPARE(mean.mean()(3, 4), 1.5);
        QCOMPARE(mean.counts()(3, 4), 2);
        QCOMPARE(mean.mean()(5, 6), 7.0);
        QCOMPARE(mean.counts()(5, 6), 1);
        QCOMPARE(mean.counts()(6, 5), 0);
        QVERIFY(std::isnan(mean.mean()(6, 5)));
    }
};

HEADROOM_TEST(PhoneAttentionTest)

} // namespace headroom::testing::phone_attention_test

#include "phone_attention_test.moc"
