// SPDX-License-Identifier: GPL-3.0-or-later
// Value zeroing inside whole encoders: what stands behind the attention is the layer's own, its final norm included.
#include "core/audio/audio_file.h"
#include "core/features/model_input.h"
#include "models/contributions/block_weights.h"
#include "models/contributions/memory.h"
#include "models/layers/convolution_module.h"
#include "models/layers/gating_module.h"
#include "models/layers/basic.h"
#include "models/mixing/value_zeroing.h"
#include "models/networks/made_model.h"
#include "models/networks/s2t_encoder.h"
#include "models/networks/speech_model.h"
#include "tests/models/networks/families.h"
#include "tests/models/test_data.h"
#include "tests/support/runner.h"

#include <ATen/ops/gelu.h>
#include <ATen/ops/layer_norm.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/silu.h>

#include <QTest>

#include <cmath>
#include <numeric>

namespace headroom::testing::mixed_layers_test {

using namespace headroom::models;

namespace {

/// The layer from its values on, with those of tokens first … end − 1 zero, without the code under test.
at::Tensor layerWithout(const Scope& layer, const Scope& encoder, const Architecture::Encoder& shape,
                        const AttentionStep& step, std::int64_t first, std::int64_t end, bool last) {
    const GroupStep& group = step.groups.front();
    at::Tensor values = group.values.squeeze(0).clone(); // [head, key, valueWidth]
    values.narrow(1, first, end - first).zero_();
    const at::Tensor mixed = at::matmul(denseMap(group.applied), values).transpose(0, 1).flatten(1);
    const auto norm = [](const Scope& scope, const at::Tensor& x) {
        return at::layer_norm(x, {x.size(-1)}, scope["weight"], scope["bias"], 1e-5);
    };
    const auto affine = [](const Scope& scope, const at::Tensor& x) {
        return at::linear(x, scope["weight"], scope["bias"]);
    };
    at::Tensor y = affine(layer / "self_attn" / "out_proj", mixed).add(step.input.squeeze(0));
    if (shape.kind == EncoderKind::Conformer) {
        y = convolutionModule(layer / "conv_module", *shape.convolution, y.unsqueeze(0), {}, {}).squeeze(0).add(y);
        const at::Tensor hidden = at::silu(affine(layer / "ffn2" / "fc1", norm(layer / "ffn2_layer_norm", y)));
        y = affine(layer / "ffn2" / "fc2", hidden).mul(0.5).add(y);
        return norm(layer / "final_layer_norm", y);
    }
    if (shape.kind == EncoderKind::Branchformer) {
        const at::Tensor x = step.input.squeeze(0), attended = affine(layer / "self_attn" / "out_proj", mixed);
        const at::Tensor gated =
            gatingModule(layer / "gated", *shape.branch, norm(layer / "gated_layer_norm", x).unsqueeze(0), {}, {}, 1e-5);
        y = mergedBranches(layer / "merge", *shape.branch, attended.unsqueeze(0), gated, {}, {}).squeeze(0).add(x);
        const at::Tensor hidden = at::silu(affine(layer / "ffn2" / "fc1", norm(layer / "ffn2_layer_norm", y)));
        y = norm(layer / "final_layer_norm", affine(layer / "ffn2" / "fc2", hidden).mul(0.5).add(y));
        return last ? norm(encoder / "layer_norm", y) : y;
    }
    if (shape.norm == NormPlace::Post) {
        y = norm(layer / "self_attn_layer_norm", y);
        y = affine(layer / "fc2", at::gelu(affine(layer / "fc1", y))).add(y);
        return norm(layer / "final_layer_norm", y);
    }
    y = affine(layer / "fc2", affine(layer / "fc1", norm(layer / "final_layer_norm", y)).relu()).add(y);
    return last ? norm(encoder / "layer_norm", y) : y;
}

double apart(const at::Tensor& a, const at::Tensor& b) {
    return 1 - a.dot(b).item<double>() / (a.norm().item<double>() * b.norm().item<double>());
}

} // namespace

class MixedLayersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// In a window longer than the recording, too: the mean of the heads as each is handed out.
    void attentionIsTheMeanOfTheHeadsThatAreShown() {
        const auto model = SpeechModel::open(repositoryGoldens() / "parity/encoders/whisper-small");
        const auto audio = loadRecording(repositoryGoldens() / "parity/encoders/audio/short.wav");
        const Matrix<float> features = modelFeatures(audio.samples, model->info().architecture.frontEnd.input());
        AnalysisOptions options;
        options.keepAttention = true;
        options.mixing.measures = mixingMeasures("attention");
        const auto whole = model->analyse(features.view(), options, [](LayerAnalysis&& layer) {
            const Matrix<float>& mean = layer.mixing.front().map;
            QCOMPARE(mean.rows(), layer.attention.front().rows());
            for (std::size_t i = 0; i < mean.rows(); ++i)
                for (std::size_t j = 0; j < mean.columns(); ++j) {
                    double sum = 0;
                    for (const Matrix<float>& head : layer.attention)
                        sum += static_cast<double>(head(i, j)) / static_cast<double>(layer.attention.size());
                    QVERIFY(std::abs(sum - static_cast<double>(mean(i, j))) <= 1e-6);
                }
        });
        QVERIFY(whole.tokens > 1 && whole.tokens < 1500);
    }

    void valueZeroingComputesTheWholeLayerAgain_data() {
        QTest::addColumn<QString>("family");
        for (const char* family : {"s2t", "postNorm", "conformer", "eBranchformer"})
            QTest::newRow(family) << QString(family);
    }
    void valueZeroingComputesTheWholeLayerAgain() {
        QFETCH(QString, family);
        const Architecture& architecture = smallFamily(family.toStdString());
        const Parameters parameters = madeWeights(architecture).inDouble();
        const Scope encoder = Scope(parameters) / "model" / "encoder";
        int layers = 0;
        encodeBatch(parameters, architecture, madeBatch({90}).to(at::kDouble), {90}, Padding::Safe, [&](int number) {
            return [&, number](const AttentionStep& step) {
                ++layers;
                const Scope layer = encoder / "layers" / (number - 1);
                const bool last = number == static_cast<int>(architecture.encoder.layers.size());
                const BlockWeights block =
                    blockWeights(layer, "self_attn", "self_attn_layer_norm", architecture.encoder.norm);
                const BlockTerms terms = blockTerms(block, step.groups, step.input);
                const std::vector<TokenUnit> units{{0, 1, ""}, {1, 6, "a"}, {6, 13, "b"}, {13, 23, "c"}};
                QCOMPARE(step.output.size(1), std::int64_t(23));
                const at::Tensor found =
                    valueZeroingDistances(terms, step.output.squeeze(0), step.rest, units);
                const auto without = [&](std::int64_t first, std::int64_t end) {
                    return layerWithout(layer, encoder, architecture.encoder, step, first, end, last);
                };
                const at::Tensor truth = without(0, 0);
                QVERIFY(largest(step.rest.compute(step.output).squeeze(0).sub(truth)) <= 1e-9);
                for (std::size_t u = 0; u < units.size(); ++u) {
                    const at::Tensor moved = without(units[u].first, units[u].end);
                    for (std::int64_t i = 0; i < 23; ++i)
                        QVERIFY(std::abs(found[i][static_cast<std::int64_t>(u)].item<double>() -
                                         apart(truth[i], moved[i])) <= 1e-9);
                }
            };
        });
        QCOMPARE(layers, static_cast<int>(architecture.encoder.layers.size()));
    }

    void theRestOfALayerGivesItsOwnOutput_data() {
        QTest::addColumn<QString>("family");
        for (const Family& family : smallFamilies())
            QTest::newRow(family.name.c_str()) << QString::fromStdString(family.name);
    }
    void theRestOfALayerGivesItsOwnOutput() { // of every family; and asking changes nothing
        QFETCH(QString, family);
        const Architecture& architecture = smallFamily(family.toStdString());
        const Parameters parameters = madeWeights(architecture);
        const at::Tensor bare = encodeBatch(parameters, architecture, madeBatch({150}, 1, architecture.frontEnd.features), {150});
        at::Tensor rest;
        const int last = static_cast<int>(architecture.encoder.layers.size());
        const at::Tensor watched = encodeBatch(
            parameters, architecture, madeBatch({150}, 1, architecture.frontEnd.features), {150}, Padding::Safe,
            [&](int) { return [&](const AttentionStep& step) { rest = step.rest.compute(step.output); }; }, {},
            [&](int layer, const at::Tensor& x) {
                if (layer > 0 && layer < last)
                    QVERIFY(largest(rest.sub(x)) <= 1e-5);
            });
        QVERIFY(sameAsObserved(architecture, watched, bare));
        QVERIFY(largest(rest.sub(watched)) <= 1e-5);
    }

    void everyFamilyHasItsMeasures_data() { theRestOfALayerGivesItsOwnOutput_data(); }
    void everyFamilyHasItsMeasures() {
        QFETCH(QString, family);
        const Architecture& architecture = smallFamily(family.toStdString());
        const auto model = madeSpeechModel("tiny", architecture, madeWeights(architecture));
        const auto columns = static_cast<std::size_t>(architecture.frontEnd.features);
        const Matrix<float> features = madeFeatures(90, 1, columns);
        const auto tokens = static_cast<std::size_t>(architecture.frontEnd.ownTokens(90));
        AnalysisOptions options;
        options.explain = false;
        options.mixing.measures =
            mixingMeasures("attention-norm,contributions,alti,value-zeroing,rollout-value-zeroing");
        const int last = static_cast<int>(architecture.encoder.layers.size());
        std::vector<MixingMap> all;
        model->analyse(features, options, [&](LayerAnalysis&& layer) {
            QCOMPARE(layer.mixing.size(), std::size_t(5));
            for (const MixingMap& map : layer.mixing) {
                QVERIFY2(map.reason.empty(), map.reason.c_str());
                QCOMPARE(map.map.rows(), tokens);
                for (std::size_t i = 0; i < map.map.rows(); ++i) {
                    const auto row = map.map.row(i);
                    QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) <= 1e-5);
                }
            }
            all = std::move(layer.mixing);
        });
        // The last layer alone, with everything that its rollout needs from the layers before it.
        options.layers = {last};
        int calls = 0;
        model->analyse(features, options, [&](LayerAnalysis&& layer) {
            ++calls;
            QCOMPARE(layer.layer, last);
            QVERIFY(layer.mixing[4].map.values() == all[4].map.values());
        });
        QCOMPARE(calls, 1);
    }

    void theirMemoryIsCountedBefore() {
        const Architecture& architecture = smallFamily("s2t");
        AnalysisOptions options;
        const std::int64_t bare = analysisBytes(architecture, 4000, options);
        options.mixing.measures = mixingMeasures("alti");
        const std::int64_t alti = analysisBytes(architecture, 4000, options);
        options.mixing.measures = mixingMeasures("alti,value-zeroing,rollout-value-zeroing");
        const std::int64_t all = analysisBytes(architecture, 4000, options);
        QVERIFY(alti - bare >= 1000 * 1000 * 4 * 2); // its map and what is handed on
        QVERIFY(all - alti >= 1000 * 1000 * 4 * 4);
    }
};

HEADROOM_TEST(MixedLayersTest)

} // namespace headroom::testing::mixed_layers_test

#include "mixed_layers_test.moc"
