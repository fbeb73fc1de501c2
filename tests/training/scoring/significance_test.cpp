// SPDX-License-Identifier: GPL-3.0-or-later
// Resampling tests against sacreBLEU's, with numpy's random numbers.
#include "tests/models/test_data.h"
#include "tests/support/runner.h"
#include "training/scoring/bleu.h"
#include "training/scoring/chrf.h"
#include "training/scoring/numpy_random.h"
#include "training/scoring/significance.h"
#include "training/scoring/ter.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::significance_test {

using namespace headroom::training;

namespace {

std::vector<std::string> linesOf(const std::filesystem::path& file) {
    std::ifstream in(file, std::ios::binary);
    std::vector<std::string> lines;
    for (std::string line; std::getline(in, line);)
        lines.push_back(line);
    return lines;
}

LineStatistics statisticsOf(const std::string& metric, const std::vector<std::string>& references,
                            const std::vector<std::string>& hypotheses) {
    if (metric == "BLEU")
        return bleuStatistics(references, hypotheses);
    return metric == "chrF2" ? chrfStatistics(references, hypotheses) : terStatistics(references, hypotheses);
}

/// A metric of one number per line: its mean.
LineStatistics meanOf(const std::vector<double>& values) {
    LineStatistics result{"mean", "", {}, [](std::span<const double> sums) { return sums[0] / sums[1]; }};
    for (const double value : values)
        result.lines.push_back({value, 1});
    return result;
}

bool near(double a, double b, double tolerance = 1e-9) {
    return std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

} // namespace

class SignificanceTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void randomNumbersAreNumpys() { // numpy.random.default_rng(seed), 2.4.6
        QVERIFY((NumpyRandom(12345).choice(10, 8) == std::vector<std::uint32_t>{6, 2, 7, 3, 2, 7, 6, 6}));
        QVERIFY((NumpyRandom(0).choice(1000, 5) == std::vector<std::uint32_t>{850, 636, 511, 269, 307}));
        const std::vector<bool> bits{true, true, false, true, false, false, false, true, false, true};
        QVERIFY(NumpyRandom(7).bits(10) == bits);
        QVERIFY(NumpyRandom(1).choice(1, 3) == std::vector<std::uint32_t>(3, 0));
    }

    void anExactTestIsApproached() {
        // Five differences of one sign: of the 2⁵ exchanges, two are as extreme, none more. Of 1, 2, 4, 8, 16
        // against nothing with the last reversed, enumeration counts the more extreme ones.
        const LineStatistics nothing = meanOf({0, 0, 0, 0, 0}), some = meanOf({1, 2, 4, 8, -16});
        int more = 0;
        const double observed = 1;
        for (int signs = 0; signs < 32; ++signs) {
            double sum = 0;
            for (int i = 0; i < 5; ++i)
                sum += (signs >> i & 1 ? 1 : -1) * std::pow(2.0, i);
            more += std::abs(sum) > observed;
        }
        const auto test = approximateRandomisation(nothing, some, 20000, 3);
        QVERIFY(std::abs(test.p - more / 32.0) < 0.015);
        QVERIFY(near(test.baseline, 0) && near(test.system, -0.2));
    }

    void equalSystemsDoNotDiffer() {
        const LineStatistics one = meanOf({1, 2, 3, 4});
        for (const PairedTest& test : {approximateRandomisation(one, one), pairedBootstrap(one, one)}) {
            QCOMPARE(test.p, 1.0); // sacreBLEU's rule, which counts only >, gives 0.0001
            QCOMPARE(test.differingLines, std::size_t(0));
        }
        // Not one shuffle is larger, although the lines differ: the scores are equal whatever is exchanged.
        std::vector<double> rising(30), falling(30);
        for (std::size_t i = 0; i < rising.size(); ++i)
            rising[i] = falling[29 - i] = static_cast<double>(i);
        LineStatistics first = meanOf(rising), second = meanOf(falling);
        first.score = second.score = [](std::span<const double> sums) { return sums[1] > 0 ? 7.0 : 0.0; };
        QCOMPARE(approximateRandomisation(first, second).p, 1.0);
        QCOMPARE(pairedBootstrap(first, second).p, 1.0);
    }

    /// Four lines had p = 0.0001, which would need 10,000 different exchanges.
    void fewLinesHaveNoSmallP() {
        const LineStatistics nothing = meanOf({0, 0, 0, 0}), some = meanOf({1, 1, 1, 1});
        QCOMPARE(approximateRandomisation(nothing, some).p, 2.0 / 16);
        QCOMPARE(pairedBootstrap(nothing, some).p, 2.0 / 16);
        std::vector<double> same(100, 3), other = same; // of a hundred lines only those count that differ
        other[7] = 4;
        QCOMPARE(approximateRandomisation(meanOf(same), meanOf(other)).p, 1.0);
        QCOMPARE(pairedBootstrap(meanOf(same), meanOf(other)).p, 1.0);
        other[8] = other[9] = 5;
        QCOMPARE(approximateRandomisation(meanOf(same), meanOf(other)).p, 2.0 / 8);
        QCOMPARE(pairedBootstrap(meanOf(same), meanOf(other)).differingLines, std::size_t(3));
        std::fill_n(other.begin(), 40, 6.0); // enough of them: sacreBLEU's p
        QCOMPARE(approximateRandomisation(meanOf(same), meanOf(other)).p, 1.0 / 10001);
        QCOMPARE(pairedBootstrap(meanOf(same), meanOf(other)).p, 1.0 / 1001);
    }

    void theIntervalCoversTheMean() {
        std::vector<double> values;
        for (int i = 0; i < 400; ++i)
            values.push_back(i % 2); // deviation 0.5: ± 1.96 · 0.5 / 20
        const ScoreInterval interval = bootstrapInterval(meanOf(values));
        QVERIFY(std::abs(interval.mean - 0.5) < 0.005);
        QVERIFY(std::abs(interval.halfWidth() - 0.049) < 0.006);
        QVERIFY(interval.low < 0.5 && interval.high > 0.5);
    }

    void linesMustCorrespond() {
        QVERIFY_EXCEPTION_THROWN(pairedBootstrap(meanOf({1, 2}), meanOf({1, 2, 3})), Error);
        QVERIFY_EXCEPTION_THROWN(bootstrapInterval(meanOf({})), Error);
    }

    void multiBleuDoesNotSmooth() {
        const std::vector<std::string> reference{"a b c d e"}, near{"a b c x e"};
        BleuOptions options{false, false, false, false};
        QCOMPARE(bleu(reference, near, options).score, 0.0); // no 4-gram in common
        options.smooth = true;
        QVERIFY(bleu(reference, near, options).score > 1);
    }

    void compoundsAreSplitAsFairseqDoes_data() {
        QTest::addColumn<QString>("line");
        QTest::addColumn<QString>("split");
        const auto row = [](const char* line, const char* split) { QTest::newRow(line) << line << split; };
        // What perl -ple 's{(\S)-(\S)}{$1 ##AT##-##AT## $2}g' prints.
        row("a-b", "a ##AT##-##AT## b");
        row("a-b-c", "a ##AT##-##AT## b-c");
        row("well-known-fact x", "well ##AT##-##AT## known ##AT##-##AT## fact x");
        row("ü-ö--x", "ü ##AT##-##AT## ö ##AT##-##AT## -x");
        row("a--b", "a ##AT##-##AT## -b");
        row("- a- b -c d-", "- a- b -c d-");
        row("", "");
    }
    void compoundsAreSplitAsFairseqDoes() {
        QFETCH(QString, line);
        QFETCH(QString, split);
        QCOMPARE(QString::fromStdString(splitCompounds(line.toStdString())), split);
    }

    /// Both sides are split: a hypothesis without the hyphens matches the words around them.
    void compoundBleuIsTokenisedBleuOfTheSplitLines() {
        const std::vector<std::string> reference{"a well-known fact of long-term use"}, near{"a well-known fact of short-term use"};
        const std::vector<std::string> splitReference{splitCompounds(reference[0])}, splitNear{splitCompounds(near[0])};
        const BleuOptions plain{false, false, false, false}, compound{false, false, false, false, true};
        QCOMPARE(bleu(reference, near, compound).score, bleu(splitReference, splitNear, plain).score);
        QVERIFY(bleu(reference, near, compound).score > bleu(reference, near, plain).score);
        QCOMPARE(bleu(reference, near, compound).referenceLength, 10);
    }

    void goldenRandomNumbersAreDrawn() {
        if (testing::sharedData().empty())
            QSKIP(testing::kNoSharedData);
        const auto folder = testing::sharedData() / "parity/decoding/significance";
        for (const char* name : {"bleu", "wer"}) {
            const Tensor tensor = readNpy(folder / (std::string(name) + ".bootstrap_index.npy"));
            const auto expected = toDoubles(tensor.view());
            const auto drawn =
                NumpyRandom(12345).choice(static_cast<std::uint32_t>(tensor.shape[1]), expected.size());
            QVERIFY(std::equal(drawn.begin(), drawn.end(), expected.begin()));
        }
        const Tensor packed = readNpy(folder / "bleu.randomisation_bits.npy");
        const auto bytes = toDoubles(packed.view());
        const std::size_t lines = 233;
        const auto bits = NumpyRandom(12345).bits(static_cast<std::size_t>(packed.shape[0]) * lines);
        for (std::size_t i = 0; i < bits.size(); ++i) {
            const std::size_t row = i / lines, column = i % lines;
            const int byte =
                static_cast<int>(bytes[row * static_cast<std::size_t>(packed.shape[1]) + column / 8]);
            QCOMPARE(bits[i], static_cast<bool>(byte >> (column % 8) & 1));
        }
    }

    void testsAreSacrebleus() {
        if (testing::sharedData().empty())
            QSKIP(testing::kNoSharedData);
        const auto folder = testing::sharedData() / "parity/decoding/significance";
        const auto golden = testing::readJson(folder / "bleu.json");
        const auto references = linesOf(folder / "bleu.ref.txt"), one = linesOf(folder / "bleu.one.txt");
        for (const char* system : {"two", "three"}) {
            const auto other = linesOf(folder / ("bleu." + std::string(system) + ".txt"));
            for (const char* metric : {"BLEU", "chrF2", "TER"}) {
                const auto baseline = statisticsOf(metric, references, one),
                           compared = statisticsOf(metric, references, other);
                const auto& bootstrap = golden["tests"]["paired_bootstrap"]["results"][metric][system];
                const PairedTest resampled = pairedBootstrap(baseline, compared);
                QVERIFY(near(resampled.system, bootstrap["score"]));
                QVERIFY(near(resampled.p, bootstrap["p_value"]));
                QVERIFY(near(resampled.interval->mean, bootstrap["mean"], 1e-6)); // float32 there
                QVERIFY(near(resampled.interval->halfWidth(), bootstrap["ci"], 1e-5));
                const auto& exchanged =
                    golden["tests"]["approximate_randomisation"]["results"][metric][system];
                QVERIFY(near(approximateRandomisation(baseline, compared).p, exchanged["p_value"]));
            }
        }
    }

    void tokenisedBleuIsMultiBleus() {
        if (testing::sharedData().empty())
            QSKIP(testing::kNoSharedData);
        const auto folder = testing::sharedData() / "parity/decoding/significance";
        const auto golden = testing::readJson(folder / "bleu.json")["tokenised_bleu"];
        const auto references = linesOf(folder / "bleu.ref.txt");
        for (const auto& [system, expected] : golden.items()) {
            const auto result =
                bleu(references, linesOf(folder / ("bleu." + system + ".txt")), {false, true, false, false});
            QVERIFY(near(result.score, expected["score"]));
            QCOMPARE(result.multiBleuLine(), expected["printed"].get<std::string>());
        }
    }
};

HEADROOM_TEST(SignificanceTest)

} // namespace headroom::testing::significance_test

#include "significance_test.moc"
