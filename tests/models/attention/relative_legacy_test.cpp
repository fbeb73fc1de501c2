// SPDX-License-Identifier: GPL-3.0-or-later
// ESPnet's old relative positions against the shift that made them, and its absolute ones.
#include "core/architecture/weight_shapes.h"
#include "models/attention/attention_block.h"
#include "models/attention/relative.h"
#include "models/layers/positions.h"
#include "tests/models/attention/attention_oracle.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/cat.h>
#include <ATen/ops/full.h>
#include <ATen/ops/linear.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/zeros.h>

#include <QTest>

#include <algorithm>
#include <cmath>

namespace headroom::testing::relative_legacy_test {

using namespace headroom::models;
using headroom::testing::randomNumbers;

namespace {

constexpr std::int64_t kHeads = 2, kChannels = 6, kWidth = kHeads * kChannels;

/// sin and cos of a place, channel by channel.
at::Tensor sinusoid(std::int64_t place) {
    at::Tensor row = at::zeros({kWidth}, at::kDouble);
    for (std::int64_t c = 0; c < kWidth; ++c) {
        const double angle =
            static_cast<double>(place) * std::pow(10000.0, -static_cast<double>(c - c % 2) / static_cast<double>(kWidth));
        row[c] = c % 2 == 0 ? std::sin(angle) : std::cos(angle);
    }
    return row;
}

struct Weights {
    at::Tensor positions = randomNumbers({kWidth, kWidth}, 1), content = randomNumbers({kHeads, kChannels}, 2),
               bias = randomNumbers({kHeads, kChannels}, 3);
    Parameters parameters() const {
        Parameters made;
        made.set("linear_pos.weight", positions);
        made.set("pos_bias_u", content);
        made.set("pos_bias_v", bias);
        return made;
    }
};

/// As the program that made them: a table that counts backwards from its end, of which the first T rows are read; a square
/// of products, a column of zeros before it, its numbers read again as T + 1 rows of T, and the first of them dropped.
at::Tensor shiftedSquare(const Weights& weights, const at::Tensor& q) {
    const std::int64_t tokens = q.size(2), table = std::max<std::int64_t>(5000, tokens);
    std::vector<at::Tensor> rows;
    for (std::int64_t k = 0; k < tokens; ++k)
        rows.push_back(sinusoid(table - 1 - k).unsqueeze(0));
    const at::Tensor p =
        at::linear(at::cat(rows, 0), weights.positions).view({tokens, kHeads, kChannels}).transpose(0, 1);
    const at::Tensor square = at::matmul(q.add(weights.bias.unsqueeze(1)), p.transpose(1, 2)); // [batch, head, T, T]
    const at::Tensor padded = at::cat({at::zeros({q.size(0), kHeads, tokens, 1}, at::kDouble), square}, 3);
    return padded.contiguous().view({q.size(0), kHeads, tokens + 1, tokens}).narrow(2, 1, tokens);
}

at::Tensor bandOf(const Weights& weights, const at::Tensor& q, std::int64_t reach) {
    const Parameters parameters = weights.parameters();
    const at::Tensor table = relativeLegacyPositions(reach, kWidth, q.size(2), true);
    return relativeLegacyBandScores(q, relativeTerms(Scope(parameters), table, 0, kHeads));
}

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

/// A layer of these positions, with random parameters in double.
struct Layer {
    explicit Layer(const std::string& heads) {
        Architecture::Encoder encoder;
        encoder.kind = EncoderKind::Conformer;
        encoder.width = kWidth;
        encoder.positions = Positions::RelativeLegacy;
        encoder.convolution = Architecture::Convolution();
        encoder.layers = {Architecture::Layer{parseHeads(heads)}};
        plan = attentionPlan(encoder, 1, "test");
        unsigned seed = 1;
        for (const WeightShape& tensor : attentionShapes(encoder, 1))
            parameters.set(tensor.name, randomNumbers(tensor.shape, ++seed).mul(0.4));
        parameters.set("self_attn_layer_norm.weight", at::full({kWidth}, 1.0, at::kDouble));
        parameters.set("self_attn_layer_norm.bias", at::full({kWidth}, 0.0, at::kDouble));
    }
    at::Tensor run(const at::Tensor& x, AttentionContext& context) const {
        return selfAttentionBlock(Scope(parameters), x, plan, context);
    }
    AttentionPlan plan;
    Parameters parameters;
};

} // namespace

class RelativeLegacyTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void scoresAreThoseOfTheShiftedSquare() {
        const Weights weights;
        for (const std::int64_t tokens : {1, 2, 3, 17}) {
            const at::Tensor q = randomNumbers({2, kHeads, tokens, kChannels}, 4);
            const at::Tensor found = relativeShifted(bandOf(weights, q, tokens - 1));
            QVERIFY2(largest(found.sub(shiftedSquare(weights, q))) <= 1e-9, std::to_string(tokens).c_str());
        }
    }

    void aRecordingLongerThanTheTableHasOneOfItsOwn() {
        const Weights weights;
        const at::Tensor q = randomNumbers({1, kHeads, 5003, kChannels}, 5);
        const at::Tensor band = bandOf(weights, q, 3); // the whole square would take 400 MB
        const at::Tensor p = at::linear(sinusoid(2), weights.positions).view({kHeads, kChannels});
        const at::Tensor expected = q.select(2, 100).add(weights.bias).mul(p).sum(-1);
        QVERIFY(largest(band.select(2, 100).select(2, 1).sub(expected)) <= 1e-9); // i − j = 2
    }

    void aBandHasTheSameScores() {
        const Weights weights;
        constexpr std::int64_t kTokens = 17;
        const at::Tensor q = randomNumbers({1, kHeads, kTokens, kChannels}, 6), dense = shiftedSquare(weights, q);
        for (const std::int64_t reach : {1, 3, 7}) {
            const at::Tensor band = bandOf(weights, q, reach);
            for (std::int64_t i = 0; i < kTokens; ++i)
                for (std::int64_t j = std::max<std::int64_t>(0, i - reach); j <= std::min(kTokens - 1, i + reach); ++j)
                    QVERIFY(largest(band.select(2, i).select(2, j - i + reach).sub(dense.select(2, i).select(2, j))) <= 1e-9);
        }
    }

    void aRecordingInABatchHasItsOwnLength() {
        for (const char* heads : {"2 full", "2 local 7"}) {
            const Layer layer(heads);
            const at::Tensor x = randomNumbers({2, 17, kWidth}, 7);
            AttentionContext together({17, 11}, 17), alone({}, 11);
            const at::Tensor padded = layer.run(x, together).narrow(0, 1, 1).narrow(1, 0, 11);
            QVERIFY(largest(padded.sub(layer.run(x.narrow(0, 1, 1).narrow(1, 0, 11), alone))) <= 1e-10);
        }
    }

    void aWindowThatHidesNothingIsTheFullMap() {
        const at::Tensor x = randomNumbers({1, 17, kWidth}, 8);
        AttentionContext context({}, 17);
        const at::Tensor full = Layer("2 full").run(x, context);
        QVERIFY(largest(Layer("2 local 33").run(x, context).sub(full)) <= 1e-12);
        QVERIFY(largest(Layer("2 local 31").run(x, context).sub(full)) > 1e-9);
    }

    void absolutePositionsBeginAtZero() {
        const at::Tensor table = interleavedPositions(40, kWidth);
        for (const std::int64_t place : {0, 1, 39})
            QVERIFY(largest(table[place].sub(sinusoid(place))) <= 1e-5);
    }
};

HEADROOM_TEST(RelativeLegacyTest)

} // namespace headroom::testing::relative_legacy_test

#include "relative_legacy_test.moc"
