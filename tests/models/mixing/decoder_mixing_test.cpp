// SPDX-License-Identifier: GPL-3.0-or-later
// Measures of cross-attention against their definitions, and of whole decoders against what is computed from the maps that
// an analysis hands out.
#include "models/contributions/block_weights.h"
#include "models/contributions/memory.h"
#include "models/mixing/measured_block.h"
#include "models/networks/made_model.h"
#include "models/networks/s2t_decoder.h"
#include "tests/models/contributions/made_blocks.h"
#include "tests/models/mixing/analysed_decoder.h"
#include "tests/models/networks/families.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"

#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/silu.h>
#include <ATen/ops/zeros.h>

#include <QTest>

#include <cmath>
#include <numeric>

namespace headroom::testing::decoder_mixing_test {

using namespace headroom::models;

namespace {

/// a b, number by number; b has as many rows as are read of a.
Rows product(const Rows& a, const Rows& b) {
    Rows result(a.size(), std::vector<double>(b.front().size(), 0));
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < b.size(); ++k)
            for (std::size_t j = 0; j < b.front().size(); ++j)
                result[i][j] += a[i][k] * b[k][j];
    return result;
}

Rows meanOf(const std::vector<Matrix<float>>& heads) {
    Rows mean = rowsOf(heads.front());
    for (std::size_t head = 1; head < heads.size(); ++head)
        for (std::size_t i = 0; i < mean.size(); ++i)
            for (std::size_t j = 0; j < mean[i].size(); ++j)
                mean[i][j] += static_cast<double>(heads[head](i, j));
    for (auto& row : mean)
        for (double& value : row)
            value /= static_cast<double>(heads.size());
    return mean;
}

/// ½ (map + I)
Rows halfOwn(Rows map) {
    for (std::size_t i = 0; i < map.size(); ++i)
        for (std::size_t j = 0; j < map.size(); ++j)
            map[i][j] = 0.5 * (map[i][j] + (i == j ? 1 : 0));
    return map;
}

double cosineDistanceOf(const at::Tensor& a, const at::Tensor& b) {
    return 1 - a.dot(b).item<double>() / (a.norm().item<double>() * b.norm().item<double>());
}

at::Tensor affine(const Scope& scope, const at::Tensor& x) {
    return at::linear(x, scope["weight"], scope["bias"]);
}

at::Tensor normed(const Scope& scope, const at::Tensor& x) {
    return at::layer_norm(x, {x.size(-1)}, scope["weight"], scope["bias"], 1e-5);
}

/// The feed-forward and the norms behind the cross-attention of a layer, without the code under test.
at::Tensor behindCross(const Scope& decoder, const Scope& layer, const Architecture& architecture, at::Tensor y, bool last) {
    const bool post = architecture.decoder->norm == NormPlace::Post;
    if (post)
        y = normed(layer / "encoder_attn_layer_norm", y);
    const at::Tensor hidden = affine(layer / "fc1", post ? y : normed(layer / "final_layer_norm", y));
    const at::Tensor active = architecture.decoder->activation == Activation::Swish ? at::silu(hidden) : hidden.relu();
    y = affine(layer / "fc2", active).add(y);
    if (post)
        return normed(layer / "final_layer_norm", y);
    return last ? normed(decoder / "layer_norm", y) : y;
}

/// x + attention with the values of one key zero in every head, [query, width].
at::Tensor attendedWithout(const Scope& attention, const AttentionStep& step, std::int64_t key) {
    const GroupStep& group = step.groups.front();
    at::Tensor values = group.values.squeeze(0).clone(); // [head, key, valueWidth]
    if (key >= 0)
        values.select(1, key).zero_();
    const at::Tensor mixed = at::matmul(denseMap(group.applied), values).transpose(0, 1).flatten(1);
    return affine(attention / "out_proj", mixed).add(step.input.squeeze(0));
}

} // namespace

class DecoderMixingTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void measuresOfCrossAttentionFollowTheirDefinitions_data() {
        QTest::addColumn<bool>("postNorm");
        QTest::addColumn<int>("keys");
        for (const bool postNorm : {false, true})
            for (const int keys : {5, 23}) // fewer and more than the 9 queries
                QTest::addRow("%s %d", postNorm ? "post" : "pre", keys) << postNorm << keys;
    }
    void measuresOfCrossAttentionFollowTheirDefinitions() {
        QFETCH(bool, postNorm);
        QFETCH(int, keys);
        MadeBlock::Options made;
        made.tokens = 9;
        made.postNorm = postNorm;
        made.memory = keys;
        const MadeBlock block("4 full", made);
        const AttentionStep step = block.step();
        const NormWeights& norm = block.weights().after;
        const at::Tensor sums = step.output.squeeze(0), x = step.input.squeeze(0);
        const at::Tensor sigma = sums.var(-1, false).add(1e-5).sqrt();
        at::Tensor nearness = at::zeros({9, keys + 1}, at::kDouble), lengths = at::zeros({9, keys}, at::kDouble);
        for (std::int64_t j = 0; j <= keys; ++j) {
            const at::Tensor terms = j < keys ? block.term(j) : x; // the residual is a term of its own
            for (std::int64_t i = 0; i < 9; ++i) {
                at::Tensor term = terms[i], y = sums[i];
                if (j < keys)
                    lengths[i][j] = term.norm();
                if (norm.defined()) {
                    term = term.sub(term.mean()).mul(norm.weight).div(sigma[i]);
                    y = at::layer_norm(y, {y.size(0)}, norm.weight, norm.bias, 1e-5);
                }
                nearness[i][j] =
                    std::max(0.0, y.abs().sum().item<double>() - y.sub(term).abs().sum().item<double>());
            }
        }
        MeasuredBlock measured(block.weights(), step);
        const auto differs = [](const at::Tensor& found, const at::Tensor& expected) {
            const at::Tensor total = expected.sum(-1, true); // 0 in a row whose every term is far from the output
            return found.sub(expected.div(total.masked_fill(total.eq(0), 1))).abs().max().item<double>();
        };
        QVERIFY(differs(measured.map(Mixing::Alti), nearness) <= 1e-9);
        QVERIFY(differs(measured.map(Mixing::AttentionNorm), lengths) <= 1e-9);
        QVERIFY(measured.map(Mixing::Contributions).sub(block.expectedContributions()).abs().max().item<double>() <= 1e-9);
    }

    void valueZeroingComputesTheDecoderLayerAgain_data() {
        QTest::addColumn<QString>("family");
        for (const char* family : {"s2t", "postNorm"})
            QTest::newRow(family) << QString(family);
    }
    void valueZeroingComputesTheDecoderLayerAgain() {
        QFETCH(QString, family);
        const Architecture& architecture = smallFamily(family.toStdString());
        const Parameters parameters = madeWeights(architecture).inDouble();
        const Scope decoder = Scope(parameters) / "model" / "decoder";
        const at::Tensor memory = madeBatch({11}, 3, architecture.encoder.width).to(at::kDouble); // any vectors will do
        const bool post = architecture.decoder->norm == NormPlace::Post;
        S2tDecoder network(parameters, architecture, memory);
        int blocks = 0;
        network.observe([&](int number) -> DecoderLayerObservers {
            const Scope layer = decoder / "layers" / (number - 1);
            const bool last = number == architecture.decoder->layers;
            const auto compare = [&blocks](const AttentionStep& step, const BlockWeights& block,
                                           const std::function<at::Tensor(std::int64_t)>& without) {
                ++blocks;
                MeasuredBlock measured(block, step);
                const std::int64_t keys = step.groups.front().values.size(2);
                const at::Tensor found = measured.distances(singleTokens(keys)), truth = without(-1);
                QVERIFY(largest(step.rest.compute(step.output).squeeze(0).sub(truth)) <= 1e-9);
                for (std::int64_t j = 0; j < keys; ++j) {
                    const at::Tensor moved = without(j);
                    for (std::int64_t i = 0; i < truth.size(0); ++i)
                        QVERIFY(std::abs(found[i][j].item<double>() - cosineDistanceOf(truth[i], moved[i])) <= 1e-9);
                }
            };
            return {[=, &architecture, &memory, &decoder](const AttentionStep& step) {
                        const BlockWeights block =
                            blockWeights(layer, "self_attn", "self_attn_layer_norm", architecture.decoder->norm);
                        compare(step, block, [&](std::int64_t key) {
                            at::Tensor y = attendedWithout(layer / "self_attn", step, key);
                            if (post)
                                y = normed(layer / "self_attn_layer_norm", y);
                            const Scope cross = layer / "encoder_attn";
                            const auto heads = [&](const at::Tensor& x) { // [head, token, width / 4]
                                return x.view({x.size(0), 4, -1}).transpose(0, 1);
                            };
                            const at::Tensor q = heads(affine(cross / "q_proj", post ? y : normed(layer / "encoder_attn_layer_norm", y)));
                            const at::Tensor k = heads(affine(cross / "k_proj", memory[0]));
                            const at::Tensor v = heads(affine(cross / "v_proj", memory[0]));
                            const at::Tensor map =
                                at::matmul(q, k.transpose(1, 2)).div(std::sqrt(static_cast<double>(q.size(2)))).softmax(-1);
                            const at::Tensor mixed = at::matmul(map, v).transpose(0, 1).flatten(1);
                            return behindCross(decoder, layer, architecture, affine(cross / "out_proj", mixed).add(y), last);
                        });
                    },
                    [=, &architecture, &memory, &decoder](const AttentionStep& step) {
                        BlockWeights block =
                            blockWeights(layer, "encoder_attn", "encoder_attn_layer_norm", architecture.decoder->norm);
                        block.source = memory;
                        compare(step, block, [&](std::int64_t key) {
                            return behindCross(decoder, layer, architecture,
                                               attendedWithout(layer / "encoder_attn", step, key), last);
                        });
                    }};
        });
        network.feed({2, 7, 9, 11});
        QCOMPARE(blocks, 2 * architecture.decoder->layers);
    }

    void everyDecoderLayerHasItsMeasures_data() { valueZeroingComputesTheDecoderLayerAgain_data(); }
    void everyDecoderLayerHasItsMeasures() {
        QFETCH(QString, family);
        const Analysed found = analysed(family.toStdString(), "attention,attention-norm,contributions,alti,value-zeroing");
        QVERIFY(!found.decoder.empty());
        for (const DecoderLayerAnalysis& layer : found.decoder)
            for (const LayerAnalysis* block : {&layer.self, &layer.cross}) {
                QCOMPARE(block->mixing.size(), std::size_t(5));
                for (const MixingMap& map : block->mixing) {
                    QVERIFY2(map.reason.empty(), map.reason.c_str());
                    QCOMPARE(map.map.rows(), std::size_t(5));
                    QCOMPARE(map.map.columns(), block == &layer.self ? std::size_t(5) : std::size_t(23));
                    QVERIFY(map.seconds > 0);
                    for (std::size_t i = 0; i < 5; ++i) {
                        const auto row = map.map.row(i);
                        QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) <= 1e-5);
                    }
                }
                QVERIFY(apart(block->mixing[0].map, meanOf(block->attention)) <= 1e-6);
            }
        // The residual is no token of the sound.
        for (const DecoderLayerAnalysis& layer : found.decoder) {
            Rows sound = rowsOf(layer.cross.contributions);
            for (auto& row : sound)
                row.pop_back();
            QVERIFY(apart(layer.cross.mixing[2].map, sound) <= 1e-6);
            QVERIFY(apart(layer.self.mixing[2].map, rowsOf(layer.self.contributions)) <= 1e-6);
        }
    }

    void aRolloutGoesThroughDecoderAndEncoder_data() {
        QTest::addColumn<QString>("family");
        QTest::addColumn<bool>("hasResidual");
        for (const char* family : {"s2t", "postNorm"})
            for (const bool hasResidual : {true, false})
                QTest::addRow("%s %d", family, hasResidual) << QString(family) << hasResidual;
    }
    void aRolloutGoesThroughDecoderAndEncoder() {
        QFETCH(QString, family);
        QFETCH(bool, hasResidual);
        const std::string measure = hasResidual ? "rollout-contributions" : "rollout-attention";
        const Analysed found = analysed(family.toStdString(), measure);
        Rows encoder;
        for (const LayerAnalysis& layer : found.encoder) {
            const Rows own = hasResidual ? rowsOf(layer.contributions) : halfOwn(meanOf(layer.attention));
            encoder = encoder.empty() ? own : product(own, encoder);
        }
        Rows sofar(5, std::vector<double>(23, 0)); // R_0
        for (const DecoderLayerAnalysis& layer : found.decoder) {
            const Rows self = hasResidual ? rowsOf(layer.self.contributions) : halfOwn(meanOf(layer.self.attention));
            const Rows cross = hasResidual ? rowsOf(layer.cross.contributions) : meanOf(layer.cross.attention);
            Rows sound = product(cross, encoder); // reads the tokens' columns only
            const Rows before = product(self, sofar);
            for (std::size_t i = 0; i < 5; ++i)
                for (std::size_t j = 0; j < 23; ++j)
                    sound[i][j] = hasResidual ? sound[i][j] + cross[i][23] * before[i][j]
                                              : 0.5 * sound[i][j] + 0.5 * before[i][j];
            sofar = sound;
            QVERIFY(apart(layer.cross.mixing.front().map, sofar) <= 1e-5);
        }
        // The last layer alone, with everything that its rollout needs from the layers before it.
        const Analysed alone = analysed(family.toStdString(), measure, {2});
        QCOMPARE(alone.decoder.size(), std::size_t(1));
        QVERIFY(apart(alone.decoder.front().cross.mixing.front().map, sofar) <= 1e-5);
    }

    void whatADecoderHasNotIsSaid() {
        const Analysed found = analysed("s2t", "rollout-value-zeroing,rollout-alti");
        for (const DecoderLayerAnalysis& layer : found.decoder) {
            QVERIFY(layer.self.mixing[1].map.empty());
            QVERIFY(layer.self.mixing[1].reason.find("no rollout of the decoder's self-attention") != std::string::npos);
            QVERIFY(layer.cross.mixing[0].map.empty());
            QVERIFY(layer.cross.mixing[0].reason.find("Value zeroing") != std::string::npos);
            QVERIFY(!layer.cross.mixing[1].map.empty());
        }
    }

    void askingChangesNothingElse() {
        const Analysed with = analysed("s2t", "value-zeroing,rollout-alti"), without = analysed("s2t", "attention");
        for (std::size_t layer = 0; layer < with.decoder.size(); ++layer) {
            const auto &a = with.decoder[layer].cross.contributions, &b = without.decoder[layer].cross.contributions;
            QVERIFY(largestDifference(a.values(), b.values()) <= 1e-6);
        }
    }

    void anotherRecordingIsReadAnew() { // the last one is remembered
        const Architecture& architecture = smallFamily("s2t");
        const auto model = madeSpeechModel("tiny", architecture, madeWeights(architecture));
        const Matrix<float> one = madeFeatures(90), other = madeFeatures(90, 2);
        const auto crossOf = [&](const Matrix<float>& features) {
            std::vector<float> values;
            model->analyseDecoder(features, {2, 7}, {}, [&](DecoderLayerAnalysis&& layer) {
                values.insert(values.end(), layer.cross.contributions.values().begin(), layer.cross.contributions.values().end());
            });
            return values;
        };
        const std::vector<float> first = crossOf(one);
        QVERIFY(crossOf(one) == first);
        QVERIFY(crossOf(other) != first);
        QVERIFY(crossOf(one) == first);
    }

    void theirMemoryIsCountedBefore() {
        const Architecture& architecture = smallFamily("s2t");
        AnalysisOptions options;
        const std::int64_t bare = decoderAnalysisBytes(architecture, 1000, 200, options);
        options.mixing.measures = mixingMeasures("alti");
        const std::int64_t alti = decoderAnalysisBytes(architecture, 1000, 200, options);
        options.mixing.measures = mixingMeasures("alti,rollout-alti");
        QVERIFY(alti - bare >= 1000 * 200 * 4 * 2);
        QVERIFY(decoderAnalysisBytes(architecture, 1000, 200, options) - alti >= 1000 * 1000 * 4); // the encoder's
    }
};

HEADROOM_TEST(DecoderMixingTest)

} // namespace headroom::testing::decoder_mixing_test

#include "decoder_mixing_test.moc"
