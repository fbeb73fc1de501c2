// SPDX-License-Identifier: GPL-3.0-or-later
// What the tabs CAD, PAR, Heads and Statistics show, against sums that are written out here.
#include "app/workspaces/analyse/heads/head_content.h"
#include "app/workspaces/analyse/phones/phone_content.h"
#include "core/analysis/strongest_pairs.h"
#include "tests/support/runner.h"

#include <QTest>

#include <cmath>
#include <random>

namespace headroom::testing::layer_metrics_test {

using namespace headroom::app;
using widgets::PhonePair;

namespace {

/// Rows sum to 1.
Matrix<float> randomMap(std::size_t tokens, unsigned seed) {
    std::mt19937 random(seed);
    Matrix<float> map(tokens, tokens);
    for (std::size_t i = 0; i < tokens; ++i) {
        float total = 0;
        for (float& weight : map.row(i))
            total += weight = 0.01F + float(random() % 1000) / 1000;
        for (float& weight : map.row(i))
            weight /= total;
    }
    return map;
}

std::shared_ptr<const AttentionMaps> mapsOf(std::vector<Matrix<float>> heads) {
    auto maps = std::make_shared<AttentionMaps>();
    for (Matrix<float>& head : heads) {
        maps->heads.emplace_back(std::move(head));
        maps->compressed.emplace_back();
    }
    return maps;
}

/// S S T sil S A A T: runs of one phone, silence, a phone in two runs.
std::vector<int> phones() {
    const int s = phoneClass("S").value(), t = phoneClass("T").value(), a = phoneClass("AA").value();
    return {s, s, t, kSilenceClass, s, a, a, t};
}

/// PAR by its definition, one cell at a time (Shim et al. 2022, Eq. 4 and 5), for the phones above.
double parByHand(const Matrix<float>& map, const std::vector<int>& said, int p, int q) {
    std::vector<std::size_t> kept;
    for (std::size_t i = 0; i < said.size(); ++i)
        if (said[i] != kSilenceClass)
            kept.push_back(i);
    const auto weight = [&](std::size_t i, std::size_t j) {
        double total = 0;
        for (const std::size_t key : kept)
            total += double(map(i, key));
        return double(map(i, j)) / total;
    };
    const auto sameRun = [&](std::size_t i, std::size_t j) {
        for (std::size_t between = std::min(i, j); between <= std::max(i, j); ++between)
            if (said[between] != said[i])
                return false;
        return true;
    };
    const double count = double(kept.size());
    if (p != q) {
        double sum = 0, pairs = 0;
        for (const std::size_t i : kept)
            for (const std::size_t j : kept)
                if (said[i] == p && said[j] == q) {
                    sum += weight(i, j);
                    pairs += 1;
                }
        return pairs > 0 ? count * sum / pairs : NAN;
    }
    double sum = 0, rows = 0;
    for (const std::size_t i : kept) {
        double row = 0, others = 0;
        for (const std::size_t j : kept)
            if (said[i] == p && said[j] == p && !sameRun(i, j)) {
                row += weight(i, j);
                others += 1;
            }
        if (others > 0) {
            sum += count * row / others;
            rows += 1;
        }
    }
    return rows > 0 ? sum / rows : NAN;
}

bool same(double a, double b, double tolerance = 1e-6) {
    return (std::isnan(a) && std::isnan(b)) || std::abs(a - b) <= tolerance;
}

LayerResult layerOf(const Matrix<float>& map, int number, std::size_t heads) {
    LayerResult layer;
    layer.layer = number;
    layer.tokens = std::int64_t(map.rows());
    layer.attentionProfiles.assign(heads, DiagonalProfile(map.view()));
    return layer;
}

template <class T>
Tensor tensorOf(std::vector<std::int64_t> shape, const std::vector<T>& values) {
    return Tensor::of<T>(std::move(shape), std::span<const T>(values));
}

OpenStudyPtr phoneStudy() {
    constexpr std::size_t kCells = 36 * 36;
    auto study = std::make_shared<OpenStudy>();
    study->document.kind = StudyKind::Phones;
    study->document.models.push_back({"small", "", "", "", 4, 2, false, 0, 0});
    study->document.utterances.resize(7);
    std::vector<float> par(4 * 2 * kCells);
    for (std::size_t layer = 0; layer < 4; ++layer)
        for (std::size_t head = 0; head < 2; ++head)
            for (std::size_t cell = 0; cell < kCells; ++cell)
                par[(layer * 2 + head) * kCells + cell] =
                    layer == 3 && head == 1 ? NAN : float(layer + 1) + 0.1F * float(head);
    study->arrays["1.par"] = tensorOf<float>({4, 2, 36, 36}, par);
    study->arrays["1.par_count"] = tensorOf<std::int32_t>({36, 36}, std::vector<std::int32_t>(kCells, 2));
    study->arrays["1.coverage"] = tensorOf<double>({4}, {0.1, 0.2, 0.3, 0.4});
    study->arrays["1.accumulated_coverage"] = tensorOf<double>({4}, {0.5, 0.6, 0.7, 0.8});
    return study;
}

} // namespace

class LayerMetricsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void parIsTheDefinitionCellByCell() {
        const Matrix<float> map = randomMap(8, 3);
        const auto metrics = layerMetrics(*mapsOf({map}), phones());
        QCOMPARE(metrics.heads.size(), std::size_t(1));
        for (int p = 0; p < 36; ++p)
            for (int q = 0; q < 36; ++q)
                QVERIFY2(same(metrics.heads[0].par(std::size_t(p), std::size_t(q)),
                              parByHand(map, phones(), p, q)),
                         qPrintable(QStringLiteral("%1 %2").arg(p).arg(q)));
    }

    void aPhoneInOneRunHasAnUndefinedDiagonalNeverZero() {
        const int a = phoneClass("AA").value();
        const auto only = layerMetrics(*mapsOf({randomMap(5, 4)}), std::vector<int>(5, a));
        const Matrix<double>& par = only.heads[0].par;
        QVERIFY(std::isnan(par(std::size_t(a), std::size_t(a))));
        for (const double value : par.values())
            QVERIFY(std::isnan(value)); // one phone: nothing is defined at all
    }

    void statisticsAreMeansOverRows() {
        const Matrix<float> map = randomMap(8, 5);
        const AttentionStatistics found = layerMetrics(*mapsOf({map}), phones()).heads[0].statistics;
        double entropy = 0, distance = 0, maximum = 0, silence = 0;
        for (std::size_t i = 0; i < 8; ++i) {
            double largest = 0;
            for (std::size_t j = 0; j < 8; ++j) {
                const double weight = double(map(i, j));
                entropy -= weight * std::log(weight) / 8;
                distance += weight * std::abs(double(i) - double(j)) / 8;
                largest = std::max(largest, weight);
                silence += j == 3 ? weight / 8 : 0;
            }
            maximum += largest / 8;
        }
        QVERIFY(same(found.entropy, entropy));
        QVERIFY(same(found.meanDistance, distance));
        QVERIFY(same(found.maximum, maximum));
        QVERIFY(same(found.onSilence, silence));
        QVERIFY(std::isnan(layerMetrics(*mapsOf({map}), {}).heads[0].statistics.onSilence));
    }

    void compressedKeysHaveNoDistanceAndNoPar() {
        auto maps = std::make_shared<AttentionMaps>();
        maps->heads.emplace_back(randomMap(8, 6));
        maps->compressed.emplace_back(8, 4, 0.25F);
        const LiveHeadMetrics head = layerMetrics(*maps, phones()).heads[0];
        QVERIFY(head.compressed && head.par.empty() && std::isnan(head.cad));
        QVERIFY(std::isnan(head.statistics.meanDistance));
        QVERIFY(same(head.statistics.entropy, std::log(4.0))); // over the four keys, not over eight tokens
    }

    void cadIsWholeUntilEveryHeadIsKnownWithoutSilence() {
        const Matrix<float> map = randomMap(8, 7);
        const std::vector<LayerResult> layers{layerOf(map, 1, 1), layerOf(map, 2, 1)};
        const std::vector<std::vector<HeadKind>> kinds(2, {HeadKind::Full});
        const auto metrics = std::make_shared<const LayerMetrics>(layerMetrics(*mapsOf({map}), phones()));
        double distance = 0, spoken = 0;
        std::vector<std::size_t> kept{0, 1, 2, 4, 5, 6, 7};
        for (std::size_t i = 0; i < 8; ++i)
            for (std::size_t j = 0; j < 8; ++j)
                distance += double(map(i, j)) * std::abs(double(i) - double(j)) / 8;
        for (std::size_t i = 0; i < kept.size(); ++i) {
            double total = 0, sum = 0;
            for (std::size_t j = 0; j < kept.size(); ++j) {
                total += double(map(kept[i], kept[j]));
                sum += double(map(kept[i], kept[j])) * std::abs(double(i) - double(j));
            }
            spoken += sum / total / double(kept.size());
        }
        const HeadContent one = liveHeadContent({}, kinds, layers, {metrics, nullptr}, true);
        QVERIFY(!one.withoutSilence);
        QVERIFY(same(one.cad(0, 0), 1 - distance / 7) && same(one.cad(1, 0), 1 - distance / 7));
        QVERIFY(one.cadNote.startsWith(QStringLiteral("Silence included")));
        const HeadContent all = liveHeadContent({}, kinds, layers, {metrics, metrics}, true);
        QVERIFY(all.withoutSilence);
        QVERIFY(same(all.cad(0, 0), 1 - spoken / 6));
        QCOMPARE(all.curve({1, 0}).size(), std::size_t(101));
        QVERIFY(same(all.curve({1, 0}).back(), 1));
    }

    void aRowThatLooksAtSilenceAloneDoesNotMakeCadUnknown() {
        Matrix<float> map = randomMap(8, 12);
        for (std::size_t j = 0; j < 8; ++j)
            map(0, j) = j == 3 ? 1.0F : 0.0F;
        const auto metrics = layerMetrics(*mapsOf({map}), phones());
        QVERIFY(std::isfinite(metrics.heads[0].cad));
    }

    void halvesAreThoseOfAStudy() {
        const LayerRange lower{LayerRange::Kind::LowerHalf, 0}, upper{LayerRange::Kind::UpperHalf, 0};
        QVERIFY(lower.in(3) == std::pair(1, 2) && upper.in(3) == std::pair(3, 3));
        QVERIFY(lower.in(4) == std::pair(1, 2) && upper.in(4) == std::pair(3, 4));
        QVERIFY(lower.in(1) == std::pair(1, 1) && upper.in(1) == std::pair(1, 1));
    }

    void relevanceIsTheLowerMedianOverTokensOfShares() {
        LayerResult layer = layerOf(randomMap(4, 8), 1, 2);
        layer.headRelevance = Matrix<float>(4, 2, {0.9F, 0.1F, 0.4F, 0.6F, 0.2F, 0.8F, 0.7F, 0.3F});
        const HeadContent content =
            liveHeadContent({}, {{HeadKind::Full, HeadKind::Full}}, {layer}, {nullptr}, false);
        QVERIFY(same(content.relevance(0, 0), 0.4)); // of 0.2 0.4 0.7 0.9
        QVERIFY(same(content.relevance(0, 1), 0.3)); // of 0.1 0.3 0.6 0.8
        QVERIFY(std::isnan(content.entropy(0, 0)));
        const StudyTable table = relevanceTable(content);
        QCOMPARE(table.columns.size(), std::size_t(3));
        QVERIFY(same(std::get<double>(table.rows[0][1]), 0.4));
    }

    void tablesHaveOneRowPerHeadAndNoZerosForTheUnknown() {
        const HeadContent content = liveHeadContent(
            QStringLiteral("small"), {{HeadKind::Full, HeadKind::Conv}, {HeadKind::Full, HeadKind::Local}},
            {layerOf(randomMap(6, 9), 1, 1), layerOf(randomMap(6, 10), 2, 2)}, {nullptr, nullptr}, false);
        const StudyTable cad = cadTable(content, 0.75);
        QCOMPARE(cad.rows.size(), std::size_t(4));
        QVERIFY(std::holds_alternative<std::monostate>(cad.rows[1][3]));
        QVERIFY(content.cadNote.contains(QStringLiteral("1 head attends to compressed keys")));
        for (int row = 0; row < 4; ++row)
            QCOMPARE(rowOfHead(content, headOfRow(content, row)), row);
        QVERIFY(std::holds_alternative<std::monostate>(statisticsTable(content).rows[0][3]));
    }

    void halvesAndHeadsAreMeansOverTheirMaps() {
        const PhoneContent content = studyPhoneContent(phoneStudy(), 1);
        QCOMPARE(content.layers, 4);
        const auto cell = [&](LayerRange::Kind kind, int layer, int head) {
            return content.map({{kind, layer}, head}).par(3, 5);
        };
        QVERIFY(same(cell(LayerRange::Kind::One, 2, 0), 2.05));
        QVERIFY(same(cell(LayerRange::Kind::One, 2, 2), 2.1));
        QVERIFY(same(cell(LayerRange::Kind::LowerHalf, 0, 0), (1 + 1.1 + 2 + 2.1) / 4));
        QVERIFY(same(cell(LayerRange::Kind::UpperHalf, 0, 1), 3.5));
        // Layer 4, head 2 has no map: it does not count.
        QVERIFY(same(cell(LayerRange::Kind::All, 0, 0), (1 + 1.1 + 2 + 2.1 + 3 + 3.1 + 4) / 7));
        QVERIFY(content.map({{LayerRange::Kind::One, 4}, 2}).par.empty());
        QVERIFY(content.strongest({{LayerRange::Kind::LowerHalf, 0}, 0}, PhonePair{3, 5}) == std::pair(2, 2));
    }

    void coverageIsShownWhereItWasMeasured() {
        const PhoneContent content = studyPhoneContent(phoneStudy(), 1);
        const auto coverage = [&](LayerRange::Kind kind, int layer, int head) {
            return content.map({{kind, layer}, head}).coverage;
        };
        QVERIFY(same(coverage(LayerRange::Kind::One, 3, 0), 0.3));
        QVERIFY(same(coverage(LayerRange::Kind::LowerHalf, 0, 0), 0.6));
        QVERIFY(same(coverage(LayerRange::Kind::All, 0, 0), 0.8));
        QVERIFY(std::isnan(coverage(LayerRange::Kind::UpperHalf, 0, 0)));
        QVERIFY(std::isnan(coverage(LayerRange::Kind::One, 3, 1))); // of one head it was not measured
    }

    void anAverageOfHeadsNeedsAllItsLayers() {
        PhoneContent content;
        content.layers = 2;
        content.heads = 1;
        content.metrics = {
            std::make_shared<const LayerMetrics>(layerMetrics(*mapsOf({randomMap(8, 11)}), phones())),
            nullptr};
        QVERIFY(!content.map({{LayerRange::Kind::One, 1}, 0}).par.empty());
        QVERIFY(content.map({{LayerRange::Kind::All, 0}, 0}).par.empty());
        QVERIFY((content.missing({{LayerRange::Kind::All, 0}, 0}) == std::vector<int>{2}));
    }

    void theStrongestPairsAreThoseOfTheCell() {
        Matrix<float> map(8, 8, 0.05F);
        map(0, 4) = 0.30F; // S in another run
        map(1, 0) = 0.90F; // its own run: does not count
        map(1, 3) = 0.90F; // silence: neither
        const int s = phoneClass("S").value();
        const auto pairs = strongestPairs(map, spokenTokens(phones()), s, s);
        QCOMPARE(pairs.size(), std::size_t(4)); // 0→4, 1→4, 4→0, 4→1
        QCOMPARE(pairs[0].query, 0);
        QCOMPARE(pairs[0].key, 4);
        QVERIFY(same(pairs[0].weight, 0.30 / (6 * 0.05 + 0.30), 1e-6));
        QVERIFY(same(pairs[0].ofUniform, pairs[0].weight * 7, 1e-6));
    }

    /// The bootstrap was made once more, 2000 draws for each head.
    void aStudyOfHeadsGivesTheMeansAndIntervalsOfItsTables() {
        OpenStudy study;
        study.document.kind = StudyKind::Heads;
        study.document.models.push_back({"small", "", "", "", 1, 2, false, 0, 0});
        study.document.utterances.resize(3);
        study.arrays["1.cad"] = tensorOf<double>({1, 2, 3}, {0.5, 0.7, 0.9, NAN, NAN, NAN});
        const std::vector<StudyColumn> head{{"layer", "Layer", "", 0, false}, {"head", "Head", "", 0, false}};
        StudyTable cad{"heads", "Heads", "", head, {{1.0, 1.0, 0.7, 0.16, 0.53, 0.87, 3.0}, {1.0, 2.0, {}, {}, {}, {}, 0.0}}};
        for (const char* key : {"cad_mean", "cad_std", "cad_low", "cad_high", "cad_n"})
            cad.columns.push_back({key, key, "", 3, false});
        StudyTable statistics{"head-statistics", "Statistics", "", head, {{1.0, 1.0, 1.5, 7.0, 0.5, 0.25}, {2.0, 1.0, 9.0, 9.0, 9.0, 9.0}}};
        for (const char* key : {"entropy_mean", "distance_mean", "maximum_mean", "silence_mean"})
            statistics.columns.push_back({key, key, "", 3, false});
        study.document.tables = {cad, statistics};
        study.arrays["1.relevance"] = tensorOf<double>({1, 2}, {0.25, 0.75});
        study.arrays["1.cad_curve"] = tensorOf<double>({1, 2, 3}, {0.2, 0.6, 1, NAN, NAN, NAN});
        const HeadContent content = studyHeadContent(study, 1, {});
        QVERIFY(same(content.cad(0, 0), 0.7));
        QVERIFY(same(content.cadLow(0, 0), 0.53) && same(content.cadHigh(0, 0), 0.87));
        QVERIFY(same(content.cadDeviation(0, 0), 0.16) && same(content.cadCount(0, 0), 3));
        QVERIFY(std::isnan(content.cad(0, 1)) && same(content.cadCount(0, 1), 0));
        QVERIFY(same(content.entropy(0, 0), 1.5) && same(content.meanDistance(0, 0), 7));
        QVERIFY(same(content.maximum(0, 0), 0.5) && same(content.onSilence(0, 0), 0.25));
        QVERIFY(std::isnan(content.entropy(0, 1)));
        QVERIFY(same(content.relevance(0, 1), 0.75));
        QVERIFY((content.curve({0, 0}) == std::vector<double>{0.2, 0.6, 1}));
        QCOMPARE(content.of, QStringLiteral("mean of 3 utterances"));
        QVERIFY(!content.split && !content.withoutSilence);
        QVERIFY(studyHeadContent(OpenStudy{}, 1, {}).isEmpty());
        study.document.settings = {{"silence", "remove"}, {"split", 0.6}};
        study.document.models[0].weightsHash = "0123456789abcdef";
        study.document.utterances[2].error = "It is silent.";
        const HeadContent said = studyHeadContent(study, 1, {});
        QVERIFY(said.withoutSilence && same(said.split.value(), 0.6));
        const std::string caption = cadTable(said, 0.6).caption;
        for (const char* part : {"SHA-256 0123456789ab", "mean of 2 utterances", "Silence removed"})
            QVERIFY2(caption.find(part) != std::string::npos, caption.c_str());
    }
};

HEADROOM_TEST(LayerMetricsTest)

} // namespace headroom::testing::layer_metrics_test

#include "layer_metrics_test.moc"
