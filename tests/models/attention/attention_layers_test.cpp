// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/cost_shapes.h"
#include "models/attention/conv.h"
#include "models/kernels/banded.h"
#include "tests/models/attention/attention_oracle.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/stack.h>
#include <c10/core/InferenceMode.h>

#include <QTest>

#include <algorithm>
#include <utility>

namespace headroom::testing::attention_layers_test {

using namespace headroom::models;
using headroom::testing::MadeAttention;
using headroom::testing::randomNumbers;

namespace {

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
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

constexpr const char* kLayers[] = {
    "4 full",
    "4 local 5",
    "4 local 17",
    "4 local 9 block",
    "4 local 4 block",
    "4 masked",
    "4 conv 5/2",
    "4 conv 3/3",
    "4 conv 4/1 separable",
    "4 conv 5/2 normal",
    "4 conv 8/4 speechformer",
    "4 full smoothed",
    "4 full suppressed 0.5",
    "4 full relaxed 0.3 matched",
    "4 local 7 relaxed 0.3 matched",
    "4 local 7 smoothed",
    "4 local 7 suppressed 0.5 relaxed 0.2 matched",
    "4 local 9 block relaxed 0.3 matched",
    "4 local 9 block suppressed 0.5",
    "4 local 9 block smoothed",
    "4 conv 5/2 relaxed 0.3 matched",
    "4 conv 5/2 suppressed 0.3",
    "4 masked smoothed",
    "4 masked suppressed 0.5",
    "1 local 64 block + 3 conv 5/2",
    "1 local 9 block + 3 conv 5/2",
    "2 full + 1 local 5 + 1 conv 8/4 speechformer",
    "1 masked + 1 full smoothed + 2 local 3 relaxed 0.1 matched",
};
constexpr const char* kRelativeLayers[] = {"4 full", "4 local 5", "4 local 5 suppressed 0.5",
                                           "2 full smoothed + 2 local 7 relaxed 0.2 matched", "4 masked"};
constexpr const char* kRotaryLayers[] = {"4 full", "4 local 5", "4 local 9 block",
                                         "2 masked + 2 local 5 smoothed"};

void addLayers() {
    QTest::addColumn<QStringList>("layers");
    QTest::addColumn<QString>("positions");
    QTest::addColumn<QString>("norm");
    const auto add = [](const QStringList& layers, const char* positions, const char* norm) {
        QTest::addRow("%s, %s, %s", qPrintable(layers.join(" / ")), positions, norm)
            << layers << positions << norm;
    };
    for (const char* layer : kLayers)
        add({layer}, "sinusoidal", "pre");
    for (const char* layer : kRelativeLayers)
        add({layer}, "relative", "pre");
    for (const char* layer : kRotaryLayers)
        add({layer}, "rotary", "pre");
    add({"4 full", "4 local 5", "2 local 9 block + 2 conv 5/2"}, "sinusoidal", "post");
    add({"4 full suppressed 0.5", "4 reuse 1", "4 reuse 1 relaxed 0.3 matched"}, "sinusoidal", "pre");
    add({"4 full", "4 reuse 1", "4 full", "4 reuse 3", "4 reuse 1"}, "relative", "pre");
    add({"2 local 5 + 1 local 9 block + 1 full", "4 reuse 1 relaxed 0.2 matched"}, "sinusoidal", "post");
    add({"4 local 5", "4 reuse 1"}, "rotary", "pre");
}

MadeAttention madeOf(bool bias = true) {
    QFETCH(QStringList, layers);
    QFETCH(QString, positions);
    QFETCH(QString, norm);
    std::vector<std::string> texts;
    for (const QString& layer : layers)
        texts.push_back(layer.toStdString());
    MadeAttention::Options options;
    options.positions = choiceOf<Positions>(positions.toStdString());
    options.norm = choiceOf<NormPlace>(norm.toStdString());
    options.bias = bias;
    return MadeAttention(texts, options);
}

const std::vector<std::int64_t> kLengths{23, 11, 4, 1};
constexpr std::int64_t kTokens = 23, kWidth = 24;

} // namespace

/// Attention blocks of every kind against maps written out from the definitions.
class AttentionLayersTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void everyKindIsItsDefinitionAloneAndBesideOthers_data() { addLayers(); } // O8, O19
    void everyKindIsItsDefinitionAloneAndBesideOthers() {
        const MadeAttention made = madeOf();
        const at::Tensor batch = randomNumbers({4, kTokens, kWidth}, 7);
        AttentionContext together(kLengths, kTokens);
        const at::Tensor found = made.run(batch, together);
        QVERIFY(found.isfinite().all().item<bool>());
        for (std::size_t item = 0; item < kLengths.size(); ++item) {
            const auto index = static_cast<std::int64_t>(item);
            const at::Tensor x = batch[index].narrow(0, 0, kLengths[item]);
            const at::Tensor expected = made.oracle(x);
            QVERIFY(largest(found[index].narrow(0, 0, kLengths[item]).sub(expected)) <= 1e-9);
            AttentionContext alone({}, kLengths[item]);
            QVERIFY(largest(made.run(x.unsqueeze(0), alone).squeeze(0).sub(expected)) <= 1e-9);
        }
    }

    /// A pass that nobody observes may use fused kernels: numbers and gradients are the same to rounding.
    void observingChangesNothing_data() { addLayers(); }
    void observingChangesNothing() {
        const MadeAttention inDouble = madeOf();
        MadeAttention made = inDouble;
        inDouble.parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
            made.parameters.set(name, tensor.to(at::kFloat));
        });
        const at::Tensor batch = randomNumbers({4, kTokens, kWidth}, 3).to(at::kFloat);
        at::Tensor weights = randomNumbers({4, kTokens, kWidth}, 4).to(at::kFloat); // of the sum, 0 for padding
        for (std::size_t item = 0; item < kLengths.size(); ++item)
            weights.select(0, static_cast<std::int64_t>(item))
                .narrow(0, kLengths[item], kTokens - kLengths[item])
                .zero_();
        int seen = 0;
        const auto passed = [&](const AttentionObserver& observer) {
            AttentionContext context(kLengths, kTokens);
            const at::Tensor x = batch.clone().requires_grad_();
            const at::Tensor weighed = made.run(x, context, observer).mul(weights);
            weighed.sum().backward();
            return std::pair(weighed.detach(), x.grad());
        };
        const auto observed = passed([&](const AttentionStep&) { ++seen; }), alone = passed({});
        QCOMPARE(seen, static_cast<int>(made.plans.size()));
        const auto differs = [](const at::Tensor& one, const at::Tensor& other) {
            return largest(one.sub(other)) / std::max(1.0, largest(one));
        };
        QVERIFY(differs(observed.first, alone.first) <= 1e-5);
        QVERIFY(differs(observed.second, alone.second) <= 1e-5);
    }

    /// Where no map is fused, a pass stores less and adds in the same order.
    void observingChangesNoBitWithoutFusedMaps_data() { addLayers(); }
    void observingChangesNoBitWithoutFusedMaps() {
        const MadeAttention inDouble = madeOf();
        MadeAttention made = inDouble;
        inDouble.parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
            made.parameters.set(name, tensor.to(at::kFloat));
        });
        const c10::InferenceMode inference;
        const at::Tensor x = randomNumbers({1, 40, kWidth}, 3).to(at::kFloat);
        bool stored = true; // every group that is not reused
        for (const AttentionPlan& plan : made.plans)
            for (const HeadGroup& group : plan.groups)
                stored = stored && (plan.keepsMaps || plan.reuses || !fusesMap(group, 40, false) ||
                                    plan.positions == AttentionPositions::Relative);
        AttentionContext first({}, 40), second({}, 40);
        const at::Tensor observed = made.run(x, second, [](const AttentionStep&) {});
        const at::Tensor alone = made.run(x, first);
        QVERIFY(!stored || alone.equal(observed));
        QVERIFY(largest(alone.sub(observed)) <= 1e-5 * std::max(1.0, largest(observed)));
    }

    /// Of a recording in a fixed window only its own queries are looked at.
    void mapsOfTheFirstQueriesAreRowsOfTheWholeOnes_data() { addLayers(); }
    void mapsOfTheFirstQueriesAreRowsOfTheWholeOnes() {
        const MadeAttention made = madeOf();
        constexpr std::int64_t kMapped = 5;
        const at::Tensor x = randomNumbers({1, kTokens, kWidth}, 5);
        AttentionContext::Options few;
        few.mappedQueries = kMapped;
        AttentionContext whole({}, kTokens), cut({}, kTokens, few);
        const auto groupsOfPass = [&](AttentionContext& context, at::Tensor& output) {
            std::vector<std::vector<GroupStep>> layers;
            output = made.run(x, context, [&](const AttentionStep& step) { layers.push_back(step.groups); });
            return layers;
        };
        at::Tensor expected, output;
        const auto all = groupsOfPass(whole, expected), first = groupsOfPass(cut, output);
        QVERIFY(largest(output.sub(expected)) <= 1e-12);
        QCOMPARE(first.size(), all.size());
        for (std::size_t layer = 0; layer < all.size(); ++layer)
            for (std::size_t g = 0; g < all[layer].size(); ++g)
                for (const auto map : {&GroupStep::raw, &GroupStep::applied}) {
                    const at::Tensor rows = (first[layer][g].*map).weights, wanted = (all[layer][g].*map).weights;
                    QVERIFY(rows.size(2) == kMapped || rows.size(2) == kTokens);
                    QVERIFY(largest(rows.sub(wanted.narrow(2, 0, rows.size(2)))) <= 1e-12);
                }
    }

    void onlyMapsThatSomebodyReadsAreWritten() {
        for (const auto& [heads, rows] : {std::pair{"4 full", 5}, {"4 full relaxed 0.3 matched", 5},
                                          {"4 full smoothed", 23}, {"4 local 5", 23}, {"2 full + 2 local 5", 23}}) {
            AttentionContext::Options few;
            few.mappedQueries = 5;
            AttentionContext context({}, kTokens, few);
            const MadeAttention made({heads});
            for (const GroupStep& group : groupsOf(made, randomNumbers({1, kTokens, kWidth}, 5), context))
                QCOMPARE(group.applied.weights.size(2), std::int64_t(rows));
        }
    }

    /// Resuming and repeating promise the same bits.
    void aFusedPassGivesTheSameBitsAgain() {
        const std::vector<std::int64_t> lengths{300, 211};
        const MadeAttention made({"4 full relaxed 0.3 matched", "4 masked"});
        const auto numbers = [&] {
            AttentionContext context(lengths, 300);
            const at::Tensor x = randomNumbers({2, 300, kWidth}, 3).requires_grad_();
            const at::Tensor y = made.run(x, context);
            y.square().sum().backward();
            return std::pair(y.detach(), x.grad());
        };
        const auto first = numbers();
        for (int i = 0; i < 5; ++i) {
            const auto again = numbers();
            QVERIFY(first.first.equal(again.first) && first.second.equal(again.second));
        }
    }

    void stepsHoldWhatWasMultiplied_data() { addLayers(); } // O1 from the step alone
    void stepsHoldWhatWasMultiplied() {
        const MadeAttention made = madeOf();
        AttentionContext context({}, 19);
        made.run(
            randomNumbers({1, 19, kWidth}, 5), context, [&, layer = 0](const AttentionStep& step) mutable {
                const Scope attention = Scope(made.parameters) / layer++ / "self_attn";
                at::Tensor sum = step.input.add(attention["out_proj.bias"]);
                const std::int64_t width = attention["out_proj.weight"].size(1) / 4;
                int heads = 0;
                for (const GroupStep& group : step.groups) {
                    QCOMPARE(group.firstHead, heads);
                    heads += group.kind.count;
                    const at::Tensor maps = written(group.applied);
                    at::Tensor values = group.values;
                    if (group.valueTaps.defined()) {
                        std::vector<at::Tensor> keys;
                        for (std::int64_t m = 0; m < maps.size(3); ++m) {
                            at::Tensor key = group.valueBias.expand({1, group.kind.count, width});
                            for (std::int64_t t = 0; t < group.valueTaps.size(0); ++t) {
                                const std::int64_t token = group.stride * m + t - group.padding;
                                if (token < 0 || token >= 19)
                                    continue;
                                const at::Tensor v = group.values.select(2, token);
                                key = key.add(group.valueTaps.dim() == 2 ? v.mul(group.valueTaps[t])
                                                                         : v.matmul(group.valueTaps[t].t()));
                            }
                            keys.push_back(key);
                        }
                        values = at::stack(keys, 2);
                    }
                    for (std::int64_t h = 0; h < group.kind.count; ++h)
                        sum = sum.add(maps.select(1, h)
                                          .matmul(values.select(1, h))
                                          .matmul(attention["out_proj.weight"]
                                                      .narrow(1, (group.firstHead + h) * width, width)
                                                      .t()));
                }
                QCOMPARE(heads, 4);
                QVERIFY(largest(sum.sub(step.output)) <= 1e-9);
            });
    }

    void rowsSumToOneOnTheKeysThatAreSeen_data() { addLayers(); } // O13
    void rowsSumToOneOnTheKeysThatAreSeen() {
        const MadeAttention made = madeOf();
        const at::Tensor x = randomNumbers({1, kTokens, kWidth}, 9);
        AttentionContext context({}, kTokens);
        for (const GroupStep& group : groupsOf(made, x, context)) {
            const double floor = group.kind.smoothed ? 1e-6 : 1e-12; // smoothed focus adds 10⁻⁹ below
            QVERIFY(largest(written(group.applied).sum(-1).sub(1)) <= floor);
            QVERIFY(largest(written(group.raw).sum(-1).sub(1)) <= floor);
        }
    }

    void windowsAsWideAsTheRecordingAreFull() { // O8
        const at::Tensor x = randomNumbers({1, 20, kWidth}, 2);
        MadeAttention full({"4 full"}), local({"4 local 39"}), narrower({"4 local 37"});
        AttentionContext context({}, 20);
        QVERIFY(largest(full.run(x, context).sub(local.run(x, context))) <= 1e-12);
        QVERIFY(largest(full.run(x, context).sub(narrower.run(x, context))) > 1e-6);
    }

    void whatLiesOutsideAWindowChangesNothing_data() { // O8, O9
        QTest::addColumn<QString>("heads");
        for (const char* heads :
             {"4 local 1", "4 local 17", "4 local 64 block", "4 local 9 block", "4 masked"})
            QTest::newRow(heads) << heads;
    }
    void whatLiesOutsideAWindowChangesNothing() {
        QFETCH(QString, heads);
        const MadeAttention made({heads.toStdString()});
        constexpr std::int64_t kLong = 130, kChanged = 61;
        const at::Tensor x = randomNumbers({1, kLong, kWidth}, 4);
        at::Tensor other = x.clone();
        other.select(1, kChanged).neg_();
        AttentionContext context({}, kLong);
        const at::Tensor moved = made.run(x, context).sub(made.run(other, context)).abs().amax({0, 2});
        for (std::int64_t i = 0; i < kLong; ++i)
            QCOMPARE(moved[i].item<double>() > 1e-12,
                     testing::sees(made.plans[0].groups[0], i, kChanged, kLong));
    }

    void blocksOf64SeeSixtyThreeKeysAndFortyTwoAtTheEnds() { // O9
        const MadeAttention made({"4 local 64 block"});
        constexpr std::int64_t kLong = 168; // eight blocks of 21
        AttentionContext context({}, kLong);
        const auto groups = groupsOf(made, randomNumbers({1, kLong, kWidth}, 4), context);
        const at::Tensor seen = written(groups[0].applied)[0][0].gt(0);
        for (std::int64_t i = 0; i < kLong; ++i) {
            const bool edge = i < 21 || i >= kLong - 21;
            QCOMPARE(seen[i].sum().item<std::int64_t>(), edge ? 42 : 63);
            if (edge)
                continue;
            std::int64_t left = 0, right = 0;
            while (i - left > 0 && seen[i][i - left - 1].item<bool>())
                ++left;
            while (i + right + 1 < kLong && seen[i][i + right + 1].item<bool>())
                ++right;
            QCOMPARE(left, 21 + i % 21);
            QCOMPARE(right, 41 - i % 21);
        }
    }

    void convolutionsLeaveTheKeysOfTheReleasedCode() { // O10
        const HeadGroup conv = parseHeads("1 conv 5/2").front();
        for (const auto& [tokens, keys] :
             {std::pair{166, 82}, {167, 83}, {5, 2}, {6, 2}, {7, 3}, {1, 1}, {2, 1}, {3, 1}, {4, 1}})
            QCOMPARE(compressedLength(conv, tokens), keys);
        const HeadGroup speechformer = parseHeads("1 conv 8/4 speechformer").front();
        for (const auto& [tokens, keys] : {std::pair{1, 1}, {3, 1}, {4, 2}, {166, 42}})
            QCOMPARE(compressedLength(speechformer, tokens), keys);
    }
};

HEADROOM_TEST(AttentionLayersTest)

} // namespace headroom::testing::attention_layers_test

#include "attention_layers_test.moc"
