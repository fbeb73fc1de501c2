// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/weight_shapes.h"
#include "models/attention/attention_block.h"
#include "models/attention/relative_key.h"
#include "models/kernels/banded.h"
#include "tests/models/attention/attention_oracle.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>

#include <QTest>

#include <algorithm>

namespace headroom::testing::relative_key_test {

using namespace headroom::models;
using headroom::testing::randomNumbers;

namespace {

constexpr std::int64_t kTokens = 17, kChannels = 6;
constexpr Architecture::RelativeKey kReach{4, 2};

/// A layer of four heads of which each sees `heads`, with random parameters in double.
struct Layer {
    explicit Layer(const std::string& heads) {
        encoder.kind = EncoderKind::Conformer;
        encoder.width = 24;
        encoder.positions = Positions::RelativeKey;
        encoder.relativeKey = kReach;
        encoder.convolution = Architecture::Convolution();
        encoder.layers = {Architecture::Layer{parseHeads(heads)}};
        plan = attentionPlan(encoder, 1, "test");
        unsigned seed = 1;
        for (const WeightShape& tensor : attentionShapes(encoder, 1))
            parameters.set(tensor.name, randomNumbers(tensor.shape, ++seed).mul(0.4));
        parameters.set("self_attn_layer_norm.weight", at::full({24}, 1.0, at::kDouble));
        parameters.set("self_attn_layer_norm.bias", at::full({24}, 0.0, at::kDouble));
    }
    at::Tensor run(const at::Tensor& x, AttentionContext& context) const {
        return selfAttentionBlock(Scope(parameters), x, plan, context);
    }
    Architecture::Encoder encoder;
    AttentionPlan plan;
    Parameters parameters;
};

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

} // namespace

class RelativeKeyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyPairHasTheVectorOfItsClampedDistance() {
        const at::Tensor q = randomNumbers({2, 3, kTokens, kChannels}, 1);
        const at::Tensor embedding = randomNumbers({kReach.left + kReach.right + 1, kChannels}, 2);
        const at::Tensor scores = relativeKeyScores(q, embedding, kReach);
        for (std::int64_t i = 0; i < kTokens; ++i)
            for (std::int64_t j = 0; j < kTokens; ++j) {
                const std::int64_t row = std::clamp<std::int64_t>(j - i, -4, 2) + 4;
                const at::Tensor expected = q.select(2, i).mul(embedding[row]).sum(-1); // [batch, head]
                QVERIFY(largest(scores.select(2, i).select(2, j).sub(expected)) < 1e-12);
            }
    }

    void aBandHasTheSameScores() {
        const at::Tensor q = randomNumbers({1, 2, kTokens, kChannels}, 3);
        const at::Tensor embedding = randomNumbers({kReach.left + kReach.right + 1, kChannels}, 4);
        for (const std::int64_t reach : {1, 3, 7}) {
            const at::Tensor band = relativeKeyBandScores(q, embedding, kReach, reach);
            const at::Tensor dense = relativeKeyScores(q, embedding, kReach);
            for (std::int64_t i = 0; i < kTokens; ++i)
                for (std::int64_t j = std::max<std::int64_t>(0, i - reach);
                     j <= std::min(kTokens - 1, i + reach); ++j)
                    QVERIFY(
                        largest(
                            band.select(2, i).select(2, j - i + reach).sub(dense.select(2, i).select(2, j))) <
                        1e-12);
        }
    }

    void aWindowThatHidesNothingIsTheFullMap() {
        const at::Tensor x = randomNumbers({1, kTokens, 24}, 5);
        AttentionContext context({}, kTokens);
        const at::Tensor full = Layer("4 full").run(x, context);
        QVERIFY(largest(Layer("4 local 33").run(x, context).sub(full)) < 1e-12);
        QVERIFY(largest(Layer("4 local 31").run(x, context).sub(full)) > 1e-6);
    }

    void distancesMatter() {
        const at::Tensor x = randomNumbers({1, kTokens, 24}, 6);
        AttentionContext context({}, kTokens);
        Layer layer("4 full");
        const at::Tensor found = layer.run(x, context);
        layer.parameters.set("self_attn.distance_embedding.weight",
                             layer.parameters.get("self_attn.distance_embedding.weight").mul(0));
        QVERIFY(largest(layer.run(x, context).sub(found)) > 1e-3);
    }
};

HEADROOM_TEST(RelativeKeyTest)

} // namespace headroom::testing::relative_key_test

#include "relative_key_test.moc"
