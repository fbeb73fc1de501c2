// SPDX-License-Identifier: GPL-3.0-or-later
// What one utterance gives to a study of phones, beside loops that do what Eq. 4 and 5 say.
#include "tests/support/random_model.h"
#include "tests/support/refusals.h"
#include "tests/support/runner.h"
#include "tests/training/studies/made_source.h"
#include "training/studies/phone_labels.h"
#include "training/studies/phones/phones_measure.h"
#include "training/studies/sources.h"

#include <QTemporaryDir>
#include <QTest>

#include <cmath>

namespace headroom::testing::phones_measure_test {

using namespace headroom::training;

namespace {

/// The twin: nothing but the labels, the whole map and the two equations.
class NaivePhones {
public:
    NaivePhones(const Matrix<float>& map, const std::vector<std::string>& labels)
        : m_map(map)
        , m_labels(labels) {
        for (const std::string& label : labels)
            m_classes.push_back(phoneClass(label).value_or(-1));
        for (std::size_t t = 0; t < labels.size(); ++t)
            if (spoken(t))
                ++m_spoken;
    }
    bool spoken(std::size_t t) const { return m_classes[t] >= 0 && m_classes[t] < kSilenceClass; }
    int phone(std::size_t t) const { return m_classes[t]; }

    /// A_ij of the map without silence, rows made to sum to 1.
    double weight(std::size_t i, std::size_t j) const {
        double total = 0;
        for (std::size_t k = 0; k < m_labels.size(); ++k)
            total += spoken(k) ? static_cast<double>(m_map(i, k)) : 0;
        return static_cast<double>(m_map(i, j)) / total;
    }
    bool sameRun(std::size_t i, std::size_t j) const {
        for (std::size_t k = std::min(i, j); k <= std::max(i, j); ++k)
            if (m_classes[k] != m_classes[i])
                return false;
        return true;
    }
    double par(int p, int q) const {
        double sum = 0, rows = 0, columns = 0, means = 0, counted = 0;
        for (std::size_t i = 0; i < m_labels.size(); ++i) {
            rows += m_classes[i] == p ? 1 : 0;
            columns += m_classes[i] == q ? 1 : 0;
            if (m_classes[i] != p)
                continue;
            double others = 0, own = 0;
            for (std::size_t j = 0; j < m_labels.size(); ++j) {
                if (m_classes[j] != q)
                    continue;
                sum += weight(i, j);
                if (!sameRun(i, j)) {
                    ++others;
                    own += weight(i, j);
                }
            }
            if (p == q && others > 0) {
                means += own / others;
                ++counted;
            }
        }
        if (p == q)
            return counted > 0 ? m_spoken * means / counted : std::nan("");
        return rows > 0 && columns > 0 ? m_spoken / (rows * columns) * sum : std::nan("");
    }
    double strongest(int p, int q) const {
        double best = std::nan("");
        for (std::size_t i = 0; i < m_labels.size(); ++i)
            for (std::size_t j = 0; j < m_labels.size(); ++j)
                if (m_classes[i] == p && m_classes[j] == q && !sameRun(i, j) &&
                    !(weight(i, j) * m_spoken <= best))
                    best = weight(i, j) * m_spoken;
        return best;
    }
    double length() const { return m_spoken; }

private:
    const Matrix<float>& m_map;
    const std::vector<std::string>& m_labels;
    std::vector<int> m_classes;
    double m_spoken = 0;
};

bool near(double a, double b, double tolerance) {
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance * std::max(1.0, std::abs(b));
}

} // namespace

class PhonesMeasureTest : public QObject {
    Q_OBJECT
    const PhoneMap m_map = phoneMapOf("arpabet");

    Measurement measured(MadeSource& source, const MadeUtterance& utterance) const {
        return measurePhones(source, utterance.input, m_map, nullptr);
    }

private Q_SLOTS:
    void everyCellIsWhatTheEquationsSay() {
        int defined = 0;
        for (unsigned seed = 1; seed <= 40; ++seed) {
            MadeSource::Options options;
            options.seed = seed;
            options.tokens = 5 + seed;
            MadeSource source(options);
            const std::vector<std::string> labels =
                madeLabels(static_cast<std::size_t>(options.tokens), seed);
            const MadeUtterance utterance(labels);
            const Measurement stored = measured(source, utterance);
            const PhoneMeasurement found(stored);
            for (int l = 0; l < 2; ++l)
                for (int h = 0; h < 2; ++h) {
                    const NaivePhones naive(source.map(l + 1, h), labels);
                    QCOMPARE(static_cast<double>(found.spoken()), naive.length());
                    for (std::size_t p = 0; p < found.classes().size(); ++p)
                        for (std::size_t q = 0; q < found.classes().size(); ++q) {
                            const int row = found.classes()[p], column = found.classes()[q];
                            const auto par = static_cast<double>(found.par(l, h, p, q));
                            QVERIFY(near(par, naive.par(row, column), 1e-5));
                            const StrongestPair pair = found.pair(l, h, p, q);
                            QVERIFY(
                                near(static_cast<double>(pair.value), naive.strongest(row, column), 1e-5));
                            if (std::isnan(par))
                                continue;
                            ++defined;
                            const auto query = static_cast<std::size_t>(pair.query);
                            const auto key = static_cast<std::size_t>(pair.key);
                            QCOMPARE(naive.phone(query), row);
                            QCOMPARE(naive.phone(key), column);
                            QVERIFY(near(naive.weight(query, key) * naive.length(),
                                         static_cast<double>(pair.value), 1e-5));
                        }
                }
        }
        QVERIFY(defined > 1000);
    }

    void uniformMapsGiveOne() { // O15
        MadeSource::Options options;
        options.uniform = true;
        MadeSource source(options);
        const MadeUtterance utterance(madeLabels(20, 3));
        const Measurement stored = measured(source, utterance);
        for (const float value : toFloats(stored.at("par").view()))
            QVERIFY(std::isnan(value) || std::abs(value - 1) <= 1e-5F);
        QVERIFY(std::abs(PhoneMeasurement(stored).samePhone(0, 0) - 1) <= 1e-5);
    }

    void oneRunOfAPhoneLeavesItsDiagonalUndefined() {
        MadeSource::Options options;
        options.tokens = 4;
        MadeSource source(options);
        const MadeUtterance alone({"S", "S", "S", "S"});
        const Measurement stored = measured(source, alone);
        const PhoneMeasurement found(stored);
        QCOMPARE(found.classes().size(), std::size_t(1));
        QVERIFY(std::isnan(found.par(0, 0, 0, 0)));
        QVERIFY(std::isnan(found.samePhone(0, 0)));
        QCOMPARE(found.partnered().front(), 0);
        const MadeUtterance broken({"S", "S", "sil", "S"}); // silence breaks a run
        const Measurement again = measured(source, broken);
        QVERIFY(!std::isnan(PhoneMeasurement(again).par(0, 0, 0, 0)));
        QCOMPARE(PhoneMeasurement(again).partnered().front(), 3);
    }

    void headsWithoutAMapOfTokensAreUndefined() {
        MadeSource::Options options;
        options.convHead = 1;
        MadeSource source(options);
        const MadeUtterance utterance(madeLabels(20, 3));
        const Measurement stored = measured(source, utterance);
        const PhoneMeasurement found(stored);
        QVERIFY(!std::isnan(found.par(1, 0, 0, 1)));
        QVERIFY(std::isnan(found.par(1, 1, 0, 1)));
    }

    void headsOfEveryKindAreReadAsTheyWereApplied() {
        const QTemporaryDir folder;
        const RandomModel made(folder.filePath("model").toStdString(),
                               {"2 full + 2 conv 5/2", "4 local 9", "4 full relaxed 0.3 matched"});
        const auto source = openModelSource(made.folder());
        const std::vector<std::string> labels{"S",   "T", "S", "AA1", "AA0", "M",   "S", "OW1",
                                              "OY0", "T", "T", "M",   "M",   "AA2", "S"};
        MadeUtterance utterance(labels);
        std::mt19937 generator(1);
        std::normal_distribution<float> normal;
        utterance.input.features = Matrix<float>(60, 80);
        for (float& value : utterance.input.features.values())
            value = normal(generator);
        const Measurement stored = measurePhones(*source, utterance.input, m_map, nullptr);
        const PhoneMeasurement found(stored);
        QCOMPARE(found.layers(), 3);
        models::AnalysisOptions options;
        options.keepAttention = true;
        int compared = 0;
        source->speechModel()->analyse(utterance.input.features, options, [&](models::LayerAnalysis&& layer) {
            for (std::size_t h = 0; h < layer.attention.size(); ++h) {
                const bool conv = layer.layer == 1 && h >= 2;
                QCOMPARE(layer.attention[h].columns(), conv ? std::size_t(7) : labels.size());
                for (std::size_t p = 0; p < found.classes().size(); ++p)
                    for (std::size_t q = 0; q < found.classes().size(); ++q) {
                        const auto par = static_cast<double>(
                            found.par(layer.layer - 1, static_cast<std::int64_t>(h), p, q));
                        if (conv) {
                            QVERIFY(std::isnan(par));
                            continue;
                        }
                        const NaivePhones naive(layer.attention[h], labels);
                        QVERIFY(near(par, naive.par(found.classes()[p], found.classes()[q]), 1e-4));
                        ++compared;
                    }
            }
        });
        QCOMPARE(compared, 10 * 25);
    }

    void withoutSpeechOrPhonesThereIsNothingToMeasure() {
        MadeSource source({});
        const MadeUtterance silent(std::vector<std::string>(20, "sil"));
        QCOMPARE(codeOf([&] { measured(source, silent); }), std::string("study.noSpeech"));
        MadeUtterance bare(std::vector<std::string>(20, "S"));
        bare.input.alignment->phones.clear();
        QCOMPARE(codeOf([&] { measured(source, bare); }), std::string("study.noPhones"));
    }

    void unknownLabelsAndShortAlignmentsAreCountedAndSaid() {
        MadeSource source({});
        std::vector<std::string> labels(20, "S");
        labels[2] = labels[3] = "Ж";
        labels[7] = "T";
        labels[9] = "qq";
        const MadeUtterance strange(labels);
        const MadeUtterance brief(std::vector<std::string>{"S", "T", "S", "M"}); // 16 of 20 tokens behind it
        const std::vector<Measurement> both{measured(source, strange), {}, measured(source, brief)};
        const std::vector<std::string> remarks = remarksOn(both, 0.04);
        QCOMPARE(remarks.size(), std::size_t(2));
        QVERIFY2(remarks[0].find("3 tokens in 1 utterance were left out") != std::string::npos,
                 remarks[0].c_str());
        QVERIFY(remarks[0].find("“Ж” (2)") != std::string::npos);
        QVERIFY2(remarks[1].find("1 alignment ends more than half a second") != std::string::npos,
                 remarks[1].c_str());
        const PhoneMeasurement found(both[0]);
        QCOMPARE(found.spoken(), 17);
    }

    /// Five of five ended on “and others”, in the order of the alphabet.
    void unknownLabelsAreNamedByCountAndTheRestCounted() {
        MadeSource source({});
        const auto remarkOn = [&](const std::vector<std::string>& labels) {
            return remarksOn({measured(source, MadeUtterance(labels))}, 0.04).at(0);
        };
        const QByteArray all = remarkOn({"S", "q1", "q2", "q3", "q3", "q4", "q5", "q5", "q5", "S"}).c_str();
        QVERIFY2(all.endsWith("map: “q5” (3), “q3” (2), “q1” (1), “q2” (1), “q4” (1)."), all);
        const QByteArray some = remarkOn({"S", "q1", "q2", "q3", "q4", "q5", "q6", "q7", "q8", "q8"}).c_str();
        QVERIFY2(some.endsWith("map: “q8” (2), “q1” (1), “q2” (1), “q3” (1), “q4” (1), “q5” (1) and 2 other labels."), some);
    }
};

HEADROOM_TEST(PhonesMeasureTest)

} // namespace headroom::testing::phones_measure_test

#include "phones_measure_test.moc"
