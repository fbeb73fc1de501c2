// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "models/attention/weighing.h"
#include "models/kernels/banded.h"
#include "tests/models/attention/attention_oracle.h"
#include "tests/models/observed_maps.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/full.h>
#include <ATen/ops/zeros.h>

#include <QTest>

#include <algorithm>
#include <set>

namespace headroom::testing::attention_maps_test {

using namespace headroom::models;
using headroom::testing::MadeAttention;
using headroom::testing::mapsOfAllHeads;
using headroom::testing::randomNumbers;
using headroom::testing::valuesOfAllHeads;

namespace {

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

AttentionContext training(std::int64_t tokens, std::vector<std::int64_t> lengths = {}) {
    AttentionContext::Options options;
    options.training = true;
    return AttentionContext(std::move(lengths), tokens, options);
}

/// The maps of the last layer, every head written out where it has an N × N map.
std::vector<GroupStep> groupsOf(const MadeAttention& made, const at::Tensor& x, AttentionContext& context) {
    std::vector<GroupStep> groups;
    made.run(x, context, [&](const AttentionStep& step) { groups = step.groups; });
    return groups;
}

at::Tensor written(const AttentionMap& map) {
    return map.form == AttentionMap::Form::Band ? bandedToDense(map.weights, map.reach) : map.weights;
}

const std::vector<std::int64_t> kLengths{23, 11, 4, 1};
constexpr std::int64_t kTokens = 23, kWidth = 24;

} // namespace

/// What becomes of maps: relaxation, suppression, reuse, memory of tokens fed before; what is refused.
class AttentionMapsTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void relaxationIsNothingAtZeroAndUniformAtOne() { // O13
        const at::Tensor x = randomNumbers({1, kTokens, kWidth}, 9);
        AttentionContext context({}, kTokens);
        for (const char* kind : {"full", "local 5", "local 9 block", "conv 5/2"}) {
            const std::string text = std::string("4 ") + kind;
            const at::Tensor plain = MadeAttention({text}).run(x, context);
            QVERIFY(MadeAttention({text + " relaxed 0 matched"}).run(x, context).equal(plain));
            const MadeAttention uniform({text + " relaxed 1 matched"});
            const GroupStep group = groupsOf(uniform, x, context).front();
            const at::Tensor map = written(group.applied);
            const at::Tensor seen = written(group.raw).gt(0).to(at::kDouble);
            QVERIFY(largest(map.sub(seen.div(seen.sum(-1, true)))) <= 1e-12);
            QVERIFY(!group.applied.weights.is_same(group.raw.weights));
        }
    }

    void relaxationActsWhereTheDocumentSays() {
        const at::Tensor x = randomNumbers({1, kTokens, kWidth}, 9);
        const auto differs = [&](const char* heads, bool trained) {
            AttentionContext relaxing = trained ? training(kTokens) : AttentionContext({}, kTokens),
                             plain({}, kTokens);
            return largest(
                       MadeAttention({heads}).run(x, relaxing).sub(MadeAttention({"4 full"}).run(x, plain))) >
                   1e-6;
        };
        QVERIFY(differs("4 full relaxed 0.3", true));
        QVERIFY(!differs("4 full relaxed 0.3", false));
        QVERIFY(differs("4 full relaxed 0.3 matched", false));
        QVERIFY(differs("4 full relaxed 0.3 fuzzy 0.03", false)); // γ itself
        QVERIFY(!differs("4 full", true));
    }

    /// Training with a share of γ is training with that γ; at inference, matched or not, γ is whole.
    void aShareOfRelaxationIsASmallerGamma() {
        const at::Tensor x = randomNumbers({1, kTokens, kWidth}, 9);
        const auto ran = [&](const char* heads, double share, bool trains) {
            AttentionContext::Options options;
            options.training = trains;
            options.relaxation = share;
            AttentionContext context({}, kTokens, options);
            return MadeAttention({heads}).run(x, context);
        };
        QVERIFY(largest(ran("4 full relaxed 0.4", 0.25, true).sub(ran("4 full relaxed 0.1", 1, true))) < 1e-12);
        QVERIFY(largest(ran("4 local 5 relaxed 0.4", 0.5, true).sub(ran("4 local 5 relaxed 0.2", 1, true))) < 1e-12);
        QVERIFY(largest(ran("4 full relaxed 0.4", 0.25, true).sub(ran("4 full relaxed 0.4", 1, true))) > 1e-6);
        QVERIFY(ran("4 full relaxed 0.4 matched", 0.25, false).equal(ran("4 full relaxed 0.4 matched", 1, false)));
    }

    void fuzzyDrawsAreOnePerPassForAllLayers() {
        const MadeAttention made({"4 full relaxed 0.3 fuzzy 0.5", "4 local 5 relaxed 0.3 fuzzy 0.5",
                                  "2 full relaxed 0.3 fuzzy 0.1 + 2 full"});
        const at::Tensor x = randomNumbers({1, kTokens, kWidth}, 9);
        std::vector<double> drawn;
        for (int pass = 0; pass < 40; ++pass) {
            AttentionContext context = training(kTokens);
            made.run(x, context);
            QCOMPARE(context.draws().size(), std::size_t(2)); // two different σ
            QCOMPARE(context.draws()[0].sigma, 0.5);
            drawn.push_back(context.draws()[0].drawn);
            QVERIFY(drawn.back() >= 0 && drawn.back() <= 1);
        }
        QVERIFY(std::count(drawn.begin(), drawn.end(), 0.0) > 3); // below 0: a quarter of the draws
        QVERIFY(std::set<double>(drawn.begin(), drawn.end()).size() > 15);
        AttentionContext still({}, kTokens);
        made.run(x, still);
        QVERIFY(still.draws().empty());
    }

    void paddedRelaxationLeaksAsTheReleasedCodeDoes() {
        AttentionContext::Options options;
        options.training = options.relaxesPadding = true;
        AttentionContext padded({10, 4}, 10, options);
        const at::Tensor x = randomNumbers({2, 10, kWidth}, 6);
        const GroupStep group = groupsOf(MadeAttention({"4 full relaxed 0.2"}), x, padded).front();
        const at::Tensor valid = group.applied.weights[1].narrow(2, 0, 4).sum(-1);
        QVERIFY(largest(valid.sub(0.8 + 0.2 * 4 / 10)) <= 1e-12);
    }

    void suppressionLeavesOneHotAndUniformRows() { // O21
        at::Tensor oneHot = at::zeros({1, 50}, at::kDouble);
        oneHot[0][7] = 1;
        QCOMPARE(suppressed(oneHot, {}, 0.5).sum().item<std::int64_t>(), 0);
        for (const at::ScalarType type : {at::kFloat, at::kDouble})
            for (std::int64_t keys = 1; keys < 600; keys += 7) {
                HeadGroup kind;
                kind.suppressed = 0.5;
                const at::Tensor row = weigh(at::full({1, keys}, 0.3, type), {}, kind);
                QVERIFY(row.gt(0).all().item<bool>());
            }
        HeadGroup kind;
        kind.suppressed = 0.5;
        const at::Tensor rows = weigh(randomNumbers({50, 500}, 8).mul(0.3), {}, kind);
        const double cut = rows.eq(0).to(at::kDouble).mean().item<double>();
        QVERIFY2(std::abs(cut - 0.34) <= 0.05, std::to_string(cut).c_str());
    }

    void
    aReuseOfItsOwnMapIsTheBaseline() { // O14: X = 1 has no reusing layer; equal V and W_O give equal outputs
        const MadeAttention made({"4 full", "4 reuse 1"});
        const AttentionPlan& reusing = made.plans[1];
        QCOMPARE(reusing.reuses, 1);
        QVERIFY(made.plans[0].keepsMaps && reusing.lastOfReuses);
        // V of the second layer twice the first's, W_O half of each: the same block on the same input.
        Parameters same = made.parameters;
        const auto doubled = [](const at::Tensor& rows) { // per head: its rows, twice
            return rows.view({4, 1, 6, -1}).expand({4, 2, 6, rows.numel() / 24}).reshape({48, -1});
        };
        same.set("1.self_attn.v_proj.weight", doubled(same.get("0.self_attn.v_proj.weight")));
        same.set("1.self_attn.v_proj.bias", doubled(same.get("0.self_attn.v_proj.bias")).squeeze(1));
        same.set("1.self_attn.out_proj.weight",
                 doubled(same.get("0.self_attn.out_proj.weight").t()).t().div(2));
        same.set("1.self_attn.out_proj.bias", same.get("0.self_attn.out_proj.bias"));
        for (const char* part : {"weight", "bias"})
            same.set(std::string("1.self_attn_layer_norm.") + part,
                     same.get(std::string("0.self_attn_layer_norm.") + part));
        const at::Tensor x = randomNumbers({1, 15, kWidth}, 3);
        AttentionContext context({}, 15);
        const at::Tensor first = selfAttentionBlock(Scope(same) / 0, x, made.plans[0], context);
        const at::Tensor second = selfAttentionBlock(Scope(same) / 1, x, reusing, context);
        QVERIFY(largest(first.sub(second)) <= 1e-12);
        QVERIFY_EXCEPTION_THROWN(context.kept(1), std::logic_error); // released behind its last user
    }

    void multiHeadsWithoutBiasAreTheStandardOnesWithZeros() { // O11
        MadeAttention::Options options;
        options.bias = false;
        const MadeAttention made({"1 full + 3 full"}, options);
        MadeAttention standard({"4 full"});
        made.parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
            standard.parameters.set(name, tensor);
        });
        for (const char* name : {"q_proj", "k_proj", "v_proj"})
            standard.parameters.set(std::string("0.self_attn.") + name + ".bias",
                                    at::zeros({kWidth}, at::kDouble));
        const at::Tensor x = randomNumbers({1, kTokens, kWidth}, 9);
        AttentionContext context({}, kTokens);
        QVERIFY(largest(made.run(x, context).sub(standard.run(x, context))) <= 1e-12);
    }

    void maskedHeadsFedTokenByTokenSayTheSame() {
        for (const char* heads :
             {"4 masked", "2 masked smoothed + 2 masked suppressed 0.5", "4 masked 5",
              "3 masked 15 + 1 masked", "2 masked 7 smoothed + 2 masked 3 suppressed 0.5"}) {
            const MadeAttention made({heads});
            const at::Tensor x = randomNumbers({2, 9, kWidth}, 9);
            AttentionContext whole({}, 9);
            const at::Tensor expected = made.run(x, whole);
            AttentionContext stepwise({}, 9);
            KeyValueCache cache;
            for (const auto& [first, count] : {std::pair{0, 4}, {4, 1}, {5, 3}, {8, 1}}) {
                const at::Tensor next =
                    selfAttentionBlock(Scope(made.parameters) / 0, x.narrow(1, first, count), made.plans[0],
                                       stepwise, {}, {}, &cache);
                QVERIFY(largest(next.sub(expected.narrow(1, first, count))) <= 1e-12);
            }
        }
    }

    void crossAttentionSeesTheMemoryOfItsOwnRecording_data() {
        QTest::addColumn<QString>("heads");
        for (const char* heads :
             {"4 full", "4 full relaxed 0.25 matched", "2 full smoothed + 2 full suppressed 0.5"})
            QTest::newRow(heads) << heads;
    }
    void crossAttentionSeesTheMemoryOfItsOwnRecording() { // O13, O19
        QFETCH(QString, heads);
        const AttentionPlan plan = crossAttentionPlan(parseHeads(heads.toStdString()), kWidth, false, "made");
        const MadeAttention made({"4 full"});
        Parameters parameters;
        made.parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
            parameters.set("encoder_attn" + name.substr(name.find("attn") + 4), tensor);
        });
        const Scope layer(parameters);
        const at::Tensor x = randomNumbers({4, 5, kWidth}, 1),
                         memory = randomNumbers({4, kTokens, kWidth}, 2);
        AttentionContext together(kLengths, kTokens);
        KeyValueCache cache;
        const at::Tensor found = crossAttentionBlock(layer, x, memory, plan, together, {}, {}, &cache);
        const at::Tensor last = // fed alone, on the memory that was projected before
            crossAttentionBlock(layer, x.narrow(1, 4, 1), {}, plan, together, {}, {}, &cache);
        QVERIFY(largest(last.sub(found.narrow(1, 4, 1))) <= 1e-12);
        for (std::size_t item = 0; item < kLengths.size(); ++item) {
            const auto index = static_cast<std::int64_t>(item);
            AttentionContext alone({}, kLengths[item]);
            const auto check = [&](const AttentionStep& step) {
                const at::Tensor maps = mapsOfAllHeads(step);
                QVERIFY(largest(maps.sum(-1).sub(1)) <= 1e-6);
                if (heads.contains("relaxed"))
                    QVERIFY(maps.min().item<double>() >=
                            0.25 / static_cast<double>(kLengths[item]));
                at::Tensor sum = step.input.add(layer["encoder_attn.out_proj.bias"]);
                sum = sum.add(joinHeads(maps.matmul(valuesOfAllHeads(step)))
                                  .matmul(layer["encoder_attn.out_proj.weight"].t()));
                QVERIFY(largest(sum.sub(step.output)) <= 1e-12);
            };
            const at::Tensor expected = crossAttentionBlock(
                layer, x.narrow(0, index, 1), memory.narrow(0, index, 1).narrow(1, 0, kLengths[item]), plan,
                alone, check);
            QVERIFY(largest(found.narrow(0, index, 1).sub(expected)) <= 1e-12);
        }
        QVERIFY_EXCEPTION_THROWN(crossAttentionPlan(parseHeads("4 masked"), kWidth, false, "made"), Error);
    }

    void whatHasNoMeaningIsRefused_data() {
        QTest::addColumn<QStringList>("layers");
        QTest::addColumn<QString>("positions");
        QTest::addColumn<QString>("word");
        QTest::newRow("blocks") << QStringList{"4 local 9 block"} << "relative"
                                << "block heads do not have";
        QTest::newRow("conv") << QStringList{"2 full + 2 conv 5/2"} << "relative"
                              << "keys that are tokens";
        QTest::newRow("rotated conv") << QStringList{"4 conv 5/2"} << "rotary"
                                      << "keys that are tokens";
        QTest::newRow("reused conv") << QStringList{"4 conv 5/2", "4 reuse 1"} << "sinusoidal"
                                     << "layer 1";
        QTest::newRow("later") << QStringList{"4 full", "4 reuse 2"} << "sinusoidal"
                               << "does not come before";
        QTest::newRow("chain") << QStringList{"4 full", "4 reuse 1", "4 reuse 2"} << "sinusoidal"
                               << "own";
        QTest::newRow("count") << QStringList{"4 full", "2 reuse 1"} << "sinusoidal"
                               << "layer 1 has 4 heads, this one 2";
        QTest::newRow("odd") << QStringList{"8 full"} << "rotary"
                             << "pairs";
        QTest::newRow("relaxed masks") << QStringList{"4 masked", "4 reuse 1 relaxed 0.1"} << "sinusoidal"
                                       << "cannot be relaxed";
    }
    void whatHasNoMeaningIsRefused() {
        QFETCH(QString, word);
        QFETCH(QStringList, layers);
        QFETCH(QString, positions);
        Architecture::Encoder encoder;
        encoder.width = 24;
        encoder.positions = choiceOf<Positions>(positions.toStdString());
        for (const QString& layer : layers)
            encoder.layers.push_back({parseHeads(layer.toStdString())});
        try {
            attentionPlans(encoder, "file.json");
            QFAIL("it was planned");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.kindNotBuilt"));
            const QString sentence = error.what();
            QVERIFY2(sentence.contains(word) && sentence.startsWith("file.json: encoder layer"),
                     qPrintable(sentence));
        }
    }
};

HEADROOM_TEST(AttentionMapsTest)

} // namespace headroom::testing::attention_maps_test

#include "attention_maps_test.moc"
