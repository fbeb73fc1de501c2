// SPDX-License-Identifier: GPL-3.0-or-later
// Each measure against its definition, written out in double for every pair.
#include "models/mixing/block_measures.h"
#include "models/mixing/layer_mixing.h"
#include "models/mixing/value_zeroing.h"
#include "tests/models/contributions/made_blocks.h"
#include "tests/support/runner.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/conv1d.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/zeros.h>

#include <QTest>

#include <algorithm>
#include <cmath>

namespace headroom::testing::measures_test {

using namespace headroom::models;

namespace {

constexpr std::int64_t kTokens = 17;

MadeBlock::Options blockOptions() {
    QFETCH(bool, postNorm);
    MadeBlock::Options options;
    options.tokens = kTokens;
    options.postNorm = postNorm;
    return options;
}

double difference(const at::Tensor& a, const at::Tensor& b) {
    return a.sub(b).abs().max().item<double>();
}

BlockTerms termsOf(const MadeBlock& block) {
    return blockTerms(block.weights(), block.groups(), block.step().input);
}

/// A row divided by its sum, number by number.
void divideRow(at::Tensor row) {
    double sum = 0;
    for (std::int64_t j = 0; j < row.size(0); ++j)
        sum += row[j].item<double>();
    for (std::int64_t j = 0; j < row.size(0); ++j)
        row[j] = row[j].item<double>() / sum;
}

double norm1(const at::Tensor& v) {
    double sum = 0;
    for (std::int64_t d = 0; d < v.size(0); ++d)
        sum += std::abs(v[d].item<double>());
    return sum;
}

/// Two layers behind the attention: one token by token, one in which neighbours meet (a convolution).
struct MadeRest {
    at::Tensor first, second, taps;
    explicit MadeRest(std::int64_t width) {
        const at::Generator generator = at::detail::createCPUGenerator(3);
        first = at::randn({2 * width, width}, generator, at::kDouble).mul_(0.2);
        second = at::randn({width, 2 * width}, generator, at::kDouble).mul_(0.2);
        taps = at::randn({width, 1, 3}, generator, at::kDouble).mul_(0.4);
    }
    RestOfLayer rest(bool tokenwise) const {
        return {[this, tokenwise](const at::Tensor& attended) {
                    at::Tensor y = attended;
                    if (!tokenwise)
                        y = at::conv1d(y.transpose(1, 2), taps, {}, {1}, {1}, {1}, taps.size(0))
                                .transpose(1, 2)
                                .add(y);
                    const at::Tensor normed = at::layer_norm(y, {y.size(-1)});
                    return at::linear(at::linear(normed, first).relu(), second).add(y);
                },
                tokenwise};
    }
};

/// 1 − cos by its definition, value by value.
double cosineDistance(const at::Tensor& a, const at::Tensor& b) {
    double product = 0, ownA = 0, ownB = 0;
    for (std::int64_t d = 0; d < a.size(0); ++d) {
        const double x = a[d].item<double>(), y = b[d].item<double>();
        product += x * y;
        ownA += x * x;
        ownB += y * y;
    }
    return 1 - product / std::sqrt(ownA * ownB);
}

} // namespace

class MeasuresTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void attentionIsTheMeanOfTheHeads() {
        const MadeBlock block("2 full + 1 local 5 + 1 masked", {});
        const at::Tensor found = meanAttention(block.groups());
        for (std::int64_t i = 0; i < kTokens; ++i)
            for (std::int64_t j = 0; j < kTokens; ++j) {
                double sum = 0;
                for (const GroupStep& group : block.groups())
                    for (std::int64_t h = 0; h < group.kind.count; ++h)
                        sum += group.applied.weights[0][h][i][j].item<double>();
                QVERIFY(std::abs(found[i][j].item<double>() - sum / 4) <= 1e-12);
            }
    }

    void measuresStayOnTheDeviceOfTheirTerms() {
        const auto there = at::TensorOptions().device(at::kMeta).dtype(at::kFloat);
        BlockTerms terms;
        terms.maps = at::empty({2, 9, 9}, there);
        terms.parts = {{at::empty({2, 9, 8}, there), at::empty({16, 16}, there)}};
        terms.residual = at::empty({9, 16}, there);
        terms.reach = 9;
        QVERIFY(attentionNorm(terms).is_meta());
        QVERIFY(crossAttentionNorm(terms).is_meta());
    }

    void attentionNormIsTheNormOfWhatAKeyAdds_data() { addBlocks(); }
    void attentionNormIsTheNormOfWhatAKeyAdds() {
        QFETCH(QString, heads);
        const MadeBlock block(heads.toStdString(), blockOptions());
        at::Tensor expected = at::zeros({kTokens, kTokens}, at::kDouble);
        for (std::int64_t j = 0; j < kTokens; ++j) {
            const at::Tensor term = block.term(j);
            for (std::int64_t i = 0; i < kTokens; ++i) {
                double square = 0;
                for (std::int64_t d = 0; d < term.size(1); ++d)
                    square += std::pow(term[i][d].item<double>(), 2);
                expected[i][j] = std::sqrt(square);
            }
        }
        for (std::int64_t i = 0; i < kTokens; ++i)
            divideRow(expected[i]);
        QVERIFY(difference(attentionNorm(termsOf(block)), expected) <= 1e-9);
    }

    void altiIsTheNearnessToTheOutput_data() { addBlocks(); }
    void altiIsTheNearnessToTheOutput() {
        QFETCH(QString, heads);
        const MadeBlock block(heads.toStdString(), blockOptions());
        const AttentionStep step = block.step();
        const NormWeights& norm = block.weights().after;
        const at::Tensor sums = step.output.squeeze(0), x = step.input.squeeze(0);
        // y_i and T_ij as they are, 1/σ_i included.
        at::Tensor y = sums;
        at::Tensor sigma = at::zeros({kTokens}, at::kDouble).add_(1);
        if (norm.defined()) {
            y = at::layer_norm(sums, {sums.size(1)}, norm.weight, norm.bias, 1e-5);
            sigma = sums.var(-1, false).add(1e-5).sqrt();
        }
        at::Tensor expected = at::zeros({kTokens, kTokens}, at::kDouble);
        for (std::int64_t j = 0; j < kTokens; ++j) {
            at::Tensor terms = block.term(j);
            terms[j].add_(x[j]);
            for (std::int64_t i = 0; i < kTokens; ++i) {
                at::Tensor term = terms[i];
                if (norm.defined())
                    term = term.sub(term.mean()).mul(norm.weight).div(sigma[i]);
                expected[i][j] = std::max(0.0, norm1(y[i]) - norm1(y[i].sub(term)));
            }
        }
        for (std::int64_t i = 0; i < kTokens; ++i)
            divideRow(expected[i]);
        const at::Tensor found = alti(block.weights(), termsOf(block), sums);
        QVERIFY(difference(found, expected) <= 1e-9);
        const MadeBlock single = block.inFloat();
        QVERIFY(difference(alti(single.weights(), termsOf(single), single.step().output.squeeze(0)), expected) <=
                1e-4);
    }

    void valueZeroingIsTheLayerComputedAgain_data() { addBlocks(); }
    void valueZeroingIsTheLayerComputedAgain() {
        QFETCH(QString, heads);
        const MadeBlock block(heads.toStdString(), blockOptions());
        const at::Tensor output = block.step().output.squeeze(0);
        const MadeRest made(output.size(1));
        const std::vector<TokenUnit> words{{0, 3, "a"}, {3, 4, ""}, {4, 9, "b"}, {9, kTokens, "c"}};
        for (const bool tokenwise : {true, false})
            for (const std::vector<TokenUnit>& units : {singleTokens(kTokens), words})
                for (const std::int64_t batch : {1, 40, 4096}) {
                    const RestOfLayer rest = made.rest(tokenwise);
                    const at::Tensor truth = rest.compute(output.unsqueeze(0))[0];
                    const at::Tensor found =
                        valueZeroingDistances(termsOf(block), output, rest, units, nullptr, batch);
                    for (std::size_t u = 0; u < units.size(); ++u) {
                        const at::Tensor moved =
                            rest.compute(block.outputWithout(units[u].first, units[u].end).unsqueeze(0))[0];
                        for (std::int64_t i = 0; i < kTokens; ++i)
                            QVERIFY(std::abs(found[i][static_cast<std::int64_t>(u)].item<double>() -
                                             cosineDistance(truth[i], moved[i])) <= 1e-9);
                    }
                }
    }

    void unitsArePooledOverTheirRows() {
        const at::Tensor distances = at::zeros({3, 2}, at::kDouble);
        distances[0][0] = 0.2;
        distances[0][1] = 0.6;
        distances[1][0] = 0.4;
        distances[1][1] = 0.2;
        const std::vector<TokenUnit> units{{0, 2, "a"}, {2, 3, "b"}};
        const at::Tensor mean = pooledDistances(distances, units, UnitPooling::Mean);
        QVERIFY(std::abs(mean[0][0].item<double>() - 0.3 / 0.7) <= 1e-12);
        const at::Tensor most = pooledDistances(distances, units, UnitPooling::Maximum);
        QVERIFY(std::abs(most[0][0].item<double>() - 0.4) <= 1e-12);
        QCOMPARE(mean[1][0].item<double>(), 0.0); // nothing moved: a row of zeros stays
    }

    void rolloutIsTheProductOfTheLayers() {
        const at::Generator generator = at::detail::createCPUGenerator(5);
        const auto map = [&] {
            at::Tensor made = at::randn({5, 5}, generator, at::kDouble).abs_();
            return normaliseRows(made).clone();
        };
        const at::Tensor a = map(), b = map();
        for (const bool hasResidual : {true, false}) {
            const at::Tensor found = rolledOut(b, rolledOut(a, {}, hasResidual), hasResidual);
            const auto own = [&](const at::Tensor& m, std::int64_t i, std::int64_t j) {
                const double value = m[i][j].item<double>();
                return hasResidual ? value : 0.5 * (value + (i == j ? 1 : 0));
            };
            for (std::int64_t i = 0; i < 5; ++i)
                for (std::int64_t j = 0; j < 5; ++j) {
                    double sum = 0;
                    for (std::int64_t k = 0; k < 5; ++k)
                        sum += own(b, i, k) * own(a, k, j);
                    QVERIFY(std::abs(found[i][j].item<double>() - sum) <= 1e-12);
                }
        }
    }

    void aLayerHandsOnEveryMeasureThatIsAskedFor() {
        const MadeBlock block = MadeBlock("4 full", {}).inFloat();
        const MadeRest made(24);
        AttentionStep step = block.step();
        MixingOptions options;
        options.measures = mixingMeasures("attention,attention-norm,contributions,alti,value-zeroing,rollout-alti");
        LayerMixing mixing(options);
        const std::vector<MixingMap> without = mixing.ofLayer(block.weights(), step, 1, true);
        QCOMPARE(without.size(), std::size_t(6));
        for (const MixingMap& map : without) {
            const bool zeroing = map.measure.kind == Mixing::ValueZeroing; // its rest is not known
            QCOMPARE(map.map.empty(), zeroing);
            QCOMPARE(map.reason.empty(), !zeroing);
        }
        QVERIFY(without[3].map.values() == without[5].map.values()); // the first layer
        const std::vector<MixingMap> second = mixing.ofLayer(block.weights(), step, 2, true);
        QVERIFY(second[3].map.values() != second[5].map.values());
    }

    void convolvedKeysHaveNoMeanAttentionAndEndItsRollout() {
        MixingOptions options;
        options.measures = mixingMeasures("attention,rollout-attention,attention-norm");
        LayerMixing mixing(options);
        const MadeBlock conv = MadeBlock("4 conv 5/2", {}).inFloat(), full = MadeBlock("4 full", {}).inFloat();
        const std::vector<MixingMap> first = mixing.ofLayer(conv.weights(), conv.step(), 1, true);
        QVERIFY(first[0].map.empty() && !first[0].reason.empty());
        QVERIFY(!first[2].map.empty());
        const std::vector<MixingMap> next = mixing.ofLayer(full.weights(), full.step(), 2, true);
        QVERIFY(!next[0].map.empty());
        QVERIFY(next[1].map.empty() && next[1].reason.find("layer 1") != std::string::npos);
    }

    void valueZeroingStopsWhenAsked() {
        const MadeBlock block("4 full", {});
        const MadeRest made(24);
        CancelFlag cancel = true;
        QVERIFY_EXCEPTION_THROWN(valueZeroingDistances(termsOf(block), block.step().output.squeeze(0),
                                                       made.rest(true), singleTokens(kTokens), &cancel),
                                 Cancelled);
    }

private:
    static void addBlocks() {
        QTest::addColumn<QString>("heads");
        QTest::addColumn<bool>("postNorm");
        for (const char* heads : {"4 full", "2 full + 2 local 5", "4 local 3", "2 local 9 block + 2 conv 5/2",
                                  "4 conv 3/2 normal", "3 masked"})
            for (const bool postNorm : {false, true})
                QTest::addRow("%s%s", heads, postNorm ? ", post-norm" : "") << QString(heads) << postNorm;
    }
};

HEADROOM_TEST(MeasuresTest)

} // namespace headroom::testing::measures_test

#include "measures_test.moc"
