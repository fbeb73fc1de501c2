// SPDX-License-Identifier: GPL-3.0-or-later
// What the networks run, explained: every kind of head as models/attention computes it, through its observer.
#include "core/architecture/weight_shapes.h"
#include "models/attention/attention_block.h"
#include "models/checkpoints/tensor_names.h"
#include "models/contributions/explain_block.h"
#include "models/contributions/analyse_layer.h"
#include "models/contributions/twin.h"
#include "models/networks/s2t_encoder.h"
#include "models/networks/speech_model.h"
#include "tests/support/runner.h"

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/ops/randn.h>

#include <QTest>

#include <cmath>
#include <functional>
#include <numeric>

namespace headroom::testing::explained_layers_test {

using namespace headroom::models;

namespace {

constexpr std::int64_t kWidth = 32;

/// The layers' attention blocks with random weights, in double.
Parameters randomBlocks(const Architecture::Encoder& encoder, unsigned long seed) {
    Parameters parameters;
    const at::Generator generator = at::detail::createCPUGenerator(seed);
    for (const AttentionPlan& plan : attentionPlans(encoder, "test")) {
        const std::string layer = std::to_string(plan.layer) + ".";
        const auto add = [&](const std::string& name, const std::vector<std::int64_t>& shape, double mean) {
            const double scale = shape.size() > 1 ? 0.25 : 0.2;
            parameters.set(layer + name, at::randn(shape, generator, at::kDouble).mul_(scale).add_(mean));
        };
        for (const WeightShape& tensor : attentionShapes(encoder, plan.layer))
            add(tensor.name, tensor.shape, 0);
        add("self_attn_layer_norm.weight", {kWidth}, 1);
        add("self_attn_layer_norm.bias", {kWidth}, 0);
    }
    return parameters;
}

Parameters inFloat(const Parameters& parameters) {
    Parameters result;
    parameters.forEach(
        [&](const std::string& name, const at::Tensor& tensor) { result.set(name, tensor.to(at::kFloat)); });
    return result;
}

using Visit = std::function<void(const Scope& layer, const AttentionPlan& plan, const AttentionStep& step)>;

/// The blocks one after the other on random input.
void runBlocks(const Parameters& parameters, const Architecture::Encoder& encoder, std::int64_t tokens,
               at::ScalarType type, const Visit& visit) {
    const at::Generator generator = at::detail::createCPUGenerator(7);
    at::Tensor x = at::randn({1, tokens, kWidth}, generator, at::kDouble).to(type);
    AttentionContext context({}, tokens);
    for (const AttentionPlan& plan : attentionPlans(encoder, "test")) {
        const Scope layer = Scope(parameters) / plan.layer;
        x = selfAttentionBlock(layer, x, plan, context,
                               [&](const AttentionStep& step) { visit(layer, plan, step); });
    }
}

BlockWeights weightsOf(const Scope& layer, const AttentionPlan& plan) {
    return blockWeights(layer, "self_attn", "self_attn_layer_norm",
                        plan.postNorm ? NormPlace::Post : NormPlace::Pre);
}

} // namespace

class ExplainedLayersTest : public QObject {
    Q_OBJECT

    static void addEncoders() {
        QTest::addColumn<QStringList>("layers");
        QTest::addColumn<QString>("positions");
        QTest::addColumn<QString>("norm");
        QTest::addColumn<bool>("bias");
        const auto row = [](const char* name, const QStringList& layers, const char* positions = "sinusoidal",
                            bool bias = true) {
            for (const char* norm : {"pre", "post"})
                QTest::addRow("%s, %s-norm", name, norm)
                    << layers << QString(positions) << QString(norm) << bias;
        };
        row("full", {"4 full", "4 full"});
        row("local", {"4 local 5", "4 local 33", "1 local 1 + 3 local 7"});
        row("block", {"4 local 9 block", "4 local 64 block"});
        row("masked", {"4 masked"});
        row("convolutions", {"4 conv 5/2", "4 conv 5/2 separable", "4 conv 3/2 normal", "4 conv 7/3"});
        row("multiformer", {"1 local 9 block + 3 conv 5/2", "2 local 9 block + 2 conv 5/2"}, "sinusoidal",
            false);
        row("everything", {"1 full + 1 local 5 + 1 local 9 block + 1 conv 5/2"});
        row("relaxed", {"4 full relaxed 0.1 matched", "4 local 5 relaxed 0.3 matched",
                        "2 conv 5/2 relaxed 0.2 matched + 2 local 9 block relaxed 0.2 matched"});
        row("smoothed", {"4 full smoothed", "2 local 5 smoothed + 2 conv 5/2 smoothed"});
        row("suppressed", {"4 full suppressed 0.5", "4 local 9 suppressed 0.5"});
        row("reused", {"4 full suppressed 0.5", "4 reuse 1", "4 local 5", "4 reuse 3"});
        row("relative", {"4 full", "4 local 7", "4 reuse 1"}, "relative");
        row("rotary", {"4 full", "4 local 7"}, "rotary");
        row("no positions", {"4 full"}, "none");
    }
    static Architecture::Encoder fetched() {
        QFETCH(QStringList, layers);
        QFETCH(QString, positions);
        QFETCH(QString, norm);
        QFETCH(bool, bias);
        Architecture::Encoder encoder;
        encoder.width = kWidth;
        encoder.positions = choiceOf<Positions>(positions.toStdString());
        encoder.norm = choiceOf<NormPlace>(norm.toStdString());
        encoder.queryKeyValueBias = bias;
        for (const QString& heads : layers)
            encoder.layers.push_back({parseHeads(heads.toStdString())});
        return encoder;
    }

private Q_SLOTS:
    void everyLayerIsRebuiltFromItsContributions_data() { addEncoders(); }
    void everyLayerIsRebuiltFromItsContributions() { // O1, O3 in double; the twin
        const Architecture::Encoder encoder = fetched();
        const Parameters parameters = randomBlocks(encoder, 3);
        for (const std::int64_t tokens : {1, 2, 6, 7, 29, 40}) {
            std::size_t layers = 0;
            runBlocks(parameters, encoder, tokens, at::kDouble,
                      [&](const Scope& layer, const AttentionPlan& plan, const AttentionStep& step) {
                          ++layers;
                          const BlockWeights block = weightsOf(layer, plan);
                          const BlockExplanation found = explainBlock(block, step);
                          const std::string place =
                              "layer " + std::to_string(layers) + ", " + std::to_string(tokens) +
                              " tokens: " + std::to_string(found.rebuildError * 1e9) + "e-9";
                          QVERIFY2(found.rebuildError <= 1e-9, place.c_str());
                          QVERIFY2(found.rowSumError <= 1e-12, place.c_str());
                          std::vector<std::int64_t> rows(static_cast<std::size_t>(tokens));
                          std::iota(rows.begin(), rows.end(), 0);
                          const Matrix<double> twin =
                              materialisedTwin(block, step.groups, step.input, rows);
                          const auto* c = found.contributions.const_data_ptr<double>();
                          for (std::size_t k = 0; k < twin.values().size(); ++k)
                              QVERIFY2(std::abs(twin.values()[k] - c[k]) <= 1e-9, place.c_str());
                      });
            QCOMPARE(layers, encoder.layers.size());
        }
    }

    void everyLayerHoldsInSinglePrecision_data() { addEncoders(); }
    void everyLayerHoldsInSinglePrecision() {
        const Architecture::Encoder encoder = fetched();
        AnalysisOptions options;
        options.keepAttention = true;
        runBlocks(inFloat(randomBlocks(encoder, 5)), encoder, 53, at::kFloat,
                  [&](const Scope& layer, const AttentionPlan& plan, const AttentionStep& step) {
                      const LayerAnalysis found =
                          analyseLayer(weightsOf(layer, plan), plan.layer, step, options);
                      QVERIFY2(found.rebuildError <= 1e-4F, std::to_string(found.rebuildError).c_str());
                      QVERIFY2(found.gramError <= 1e-5F, std::to_string(found.gramError).c_str());
                      QVERIFY(found.rowSumError <= 1e-5F);
                      QCOMPARE(found.attention.size(), std::size_t(4));
                      const bool relaxed = plan.groups.front().relaxedMatched;
                      QCOMPARE(found.rawAttention.empty(), !relaxed);
                      if (!relaxed)
                          return;
                      QVERIFY(found.rawAttention[0].values() != found.attention[0].values());
                      for (std::size_t head = 0; head < 4; ++head)
                          QCOMPARE(found.rawAttention[head].columns(), found.attention[head].columns());
                  });
    }

    void aConformersAttentionIsExplainedInsideItsOwnResidual_data() {
        QTest::addColumn<QString>("heads");
        for (const char* heads : {"4 full", "4 local 7", "4 full suppressed 0.5"})
            QTest::newRow(heads) << QString(heads);
    }
    void aConformersAttentionIsExplainedInsideItsOwnResidual() { // O1 through the whole encoder, in double
        QFETCH(QString, heads);
        Architecture architecture;
        architecture.name = "test";
        architecture.frontEnd.channels = 2 * kWidth;
        Architecture::Encoder& encoder = architecture.encoder;
        encoder.kind = EncoderKind::Conformer;
        encoder.width = kWidth;
        encoder.feedForward = 2 * kWidth;
        encoder.positions = Positions::Relative;
        encoder.activation = Activation::Swish;
        encoder.convolution = Architecture::Convolution{7, ConvolutionNorm::Batch};
        encoder.layers = {{parseHeads(heads.toStdString())}, {parseHeads("4 reuse 1")}};
        Parameters parameters;
        const at::Generator generator = at::detail::createCPUGenerator(11);
        for (const ExpectedTensor& tensor : expectedTensors(architecture, false)) {
            const bool scale = tensor.shape.size() == 1 && tensor.name.ends_with("weight");
            at::Tensor values = at::randn(tensor.shape, generator, at::kDouble).mul_(0.2).add_(scale ? 1 : 0);
            if (tensor.name.ends_with("running_var"))
                values = values.abs().add_(0.5);
            parameters.set(tensor.name, values);
        }
        int layers = 0;
        encodeBatch(
            parameters, architecture, at::randn({1, 120, 80}, generator, at::kDouble), {120}, Padding::Safe,
            [&](int layer) -> AttentionObserver {
                return [&, layer](const AttentionStep& step) {
                    ++layers;
                    const Scope scope = Scope(parameters) / "model" / "encoder" / "layers" / (layer - 1);
                    const BlockWeights block =
                        blockWeights(scope, "self_attn", "self_attn_layer_norm", NormPlace::Pre);
                    const BlockExplanation found = explainBlock(block, step);
                    QVERIFY2(found.rebuildError <= 1e-9, std::to_string(found.rebuildError).c_str());
                    const std::vector<std::int64_t> rows{0, 7, 29};
                    const Matrix<double> twin = materialisedTwin(block, step.groups, step.input, rows);
                    for (std::size_t row = 0; row < rows.size(); ++row)
                        for (std::size_t j = 0; j < 30; ++j)
                            QVERIFY(std::abs(twin(row, j) -
                                             found.contributions[rows[row]][static_cast<std::int64_t>(j)]
                                                 .item<double>()) <= 1e-9);
                };
            });
        QCOMPARE(layers, 2);
    }

    void speechformersLayersSayWhyAndKeepTheirMaps() {
        Architecture::Encoder encoder;
        encoder.width = kWidth;
        encoder.layers = {{parseHeads("2 full + 2 conv 8/4 speechformer")}};
        AnalysisOptions options;
        options.keepAttention = true;
        runBlocks(inFloat(randomBlocks(encoder, 5)), encoder, 40, at::kFloat,
                  [&](const Scope& layer, const AttentionPlan& plan, const AttentionStep& step) {
                      const LayerAnalysis found = analyseLayer(weightsOf(layer, plan), 1, step, options);
                      QVERIFY(!found.reason.empty());
                      QVERIFY(found.contributions.empty());
                      QCOMPARE(found.attention.at(3).columns(), std::size_t(11)); // (40 + 8 − 8)/4 + 1
                      for (std::size_t i = 0; i < 40; ++i) {
                          const auto row = found.headRelevance.row(i);
                          QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) <= 1e-5);
                      }
                  });
    }
};

HEADROOM_TEST(ExplainedLayersTest)

} // namespace headroom::testing::explained_layers_test

#include "explained_layers_test.moc"
