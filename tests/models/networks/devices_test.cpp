// SPDX-License-Identifier: GPL-3.0-or-later
// What needs no GPU to be known: a tensor of device meta has a shape and no numbers, so a tensor left on the CPU, and a
// number read back in the middle of a pass, fail.
#include "models/contributions/explain_block.h"
#include "models/networks/s2t_decoder.h"
#include "models/networks/s2t_encoder.h"
#include "tests/models/networks/families.h"
#include "tests/support/runner.h"
#include "tests/support/small_architectures.h"
#include "training/loop/optimiser.h"
#include "training/loop/pending_loss.h"

#include <ATen/core/grad_mode.h>
#include <ATen/ops/empty.h>

#include <QTest>

#include <algorithm>

namespace headroom::testing::devices_test {

using namespace headroom::models;

namespace {

const c10::Device kMeta(c10::kMeta);

Parameters onMeta(const Parameters& made) {
    Parameters result;
    made.forEach([&](const std::string& name, const at::Tensor& tensor) {
        const at::Tensor there = tensor.detach().to(kMeta);
        if (made.isBuffer(name))
            result.setBuffer(name, there);
        else
            result.set(name, there.set_requires_grad(true));
    });
    return result;
}

/// Heads of every kind, modifier and position.
Architecture ofHeads(const QString& heads, const QString& positions) {
    Architecture result = smallTransformer({});
    for (const QString& layer : heads.split(" / "))
        result.encoder.layers.push_back({parseHeads(layer.toStdString())});
    result.encoder.positions = choiceOf<Positions>(positions.toStdString());
    return result;
}

} // namespace

class DevicesTest : public QObject {
    Q_OBJECT
    static const Architecture& fetched() {
        QFETCH(QString, family);
        return smallFamily(family.toStdString());
    }

    /// Encoder and decoder forward and backward, with dropout or without.
    static void trains(const Architecture& architecture, double share) {
        const Parameters parameters = onMeta(madeWeights(architecture));
        const std::vector<std::int64_t> frames{150, 97, 41};
        const bool samples = architecture.frontEnd.reads == InputKind::Waveform;
        std::vector<std::int64_t> lengths;
        for (const std::int64_t count : frames)
            lengths.push_back(samples ? count * 40 : count);
        const at::Tensor features = at::empty({3, lengths.front(), architecture.frontEnd.features},
                                              at::TensorOptions().device(kMeta).dtype(at::kFloat));
        const Dropout dropout{share, share, true, nullptr, nullptr};
        at::Tensor result =
            encodeBatch(parameters, architecture, features, lengths, Padding::Safe, {}, dropout);
        QVERIFY(result.is_meta());
        QCOMPARE(result.size(0), std::int64_t(3));
        if (architecture.decoder) {
            std::vector<std::int64_t> tokens;
            for (const std::int64_t count : lengths)
                tokens.push_back(subsampledLength(subsamplerShape(architecture), count));
            const std::vector<int> text(12, 3);
            result = S2tDecoder(parameters, architecture, result, tokens, dropout).feedBatch({text, text, text});
            QVERIFY(result.is_meta());
        }
        result.sum().backward();
        parameters.forEach([&](const std::string& name, const at::Tensor& parameter) {
            if (!parameters.isBuffer(name) && parameter.grad().defined())
                QVERIFY2(parameter.grad().is_meta() && parameter.grad().sizes() == parameter.sizes(), name.c_str());
        });
        const Scope layer = Scope(parameters) / "model" / "encoder" / "layers" / 0 / "self_attn";
        QVERIFY(layer["out_proj.weight"].grad().defined());
    }

    /// The contributions of a block, or where it has none, the relevance of its heads.
    static void isExplained(const BlockWeights& block, const AttentionStep& step) {
        QVERIFY(step.input.is_meta() && step.output.is_meta());
        for (const GroupStep& group : step.groups)
            QVERIFY(group.raw.weights.is_meta() && group.applied.weights.is_meta() && group.values.is_meta());
        if (!reasonWithoutContributions(step.groups).empty()) {
            QVERIFY(relevanceOfHeads(block, step.groups).is_meta());
            return;
        }
        for (const int norm : {2, 1}) {
            const UnreadExplanation found = explainUnread(block, step, {}, norm);
            const std::int64_t queries = step.input.size(1), keys = block.source.defined() ? block.source.size(1) + 1 : queries;
            QVERIFY(found.contributions.is_meta());
            QCOMPARE(found.contributions.sizes().vec(), (std::vector<std::int64_t>{queries, keys}));
            QVERIFY(block.source.defined() ? !found.profile.defined() : found.profile.is_meta());
            QVERIFY(found.headRelevance.is_meta() && found.rebuildError.is_meta() && found.rowSumError.is_meta());
        }
        QVERIFY_EXCEPTION_THROWN(explainBlock(block, step), std::exception); // only there are numbers read
    }

    /// The observed pass and what is computed of it, in the encoder and in the decoder.
    static void isObserved(const Architecture& architecture) {
        const at::NoGradGuard constant; // as in an analysis
        const Parameters parameters = onMeta(madeWeights(architecture));
        const bool samples = architecture.frontEnd.reads == InputKind::Waveform;
        const std::int64_t length = samples ? 6000 : 150;
        int seen = 0;
        const at::Tensor memory = encodeBatch(
            parameters, architecture,
            at::empty({1, length, architecture.frontEnd.features}, at::TensorOptions().device(kMeta).dtype(at::kFloat)),
            {length}, Padding::Safe, [&](int layer) -> AttentionObserver {
                return [&, layer](const AttentionStep& step) {
                    ++seen;
                    const Scope scope = Scope(parameters) / "model" / "encoder" / "layers" / (layer - 1);
                    isExplained(blockWeights(scope, "self_attn", "self_attn_layer_norm", architecture.encoder.norm), step);
                };
            });
        QCOMPARE(seen, static_cast<int>(architecture.encoder.layers.size()));
        if (!architecture.decoder)
            return;
        S2tDecoder decoder(parameters, architecture, memory);
        decoder.observe([&](int layer) -> DecoderLayerObservers {
            const auto ofBlock = [&, layer](const char* attention, const char* norm, bool cross) -> AttentionObserver {
                return [&, layer, attention, norm, cross](const AttentionStep& step) {
                    ++seen;
                    const Scope scope = Scope(parameters) / "model" / "decoder" / "layers" / (layer - 1);
                    BlockWeights block = blockWeights(scope, attention, norm, architecture.decoder->norm);
                    if (cross)
                        block.source = memory;
                    isExplained(block, step);
                };
            };
            return {ofBlock("self_attn", "self_attn_layer_norm", false), ofBlock("encoder_attn", "encoder_attn_layer_norm", true)};
        });
        seen = 0;
        QVERIFY(decoder.feed({2, 3, 4, 5, 6}).is_meta());
        QCOMPARE(seen, 2 * architecture.decoder->layers);
    }

    static void everyFamily() {
        QTest::addColumn<QString>("family");
        for (const Family& family : smallFamilies())
            QTest::newRow(family.name.c_str()) << QString::fromStdString(family.name);
    }

    static void everyKind() {
        QTest::addColumn<QString>("heads");
        QTest::addColumn<QString>("positions");
        const auto row = [](const char* heads, const char* positions = "sinusoidal") {
            QTest::addRow("%s, %s", heads, positions) << QString(heads) << QString(positions);
        };
        for (const char* heads : {"4 full",
                                  "4 masked",
                                  "4 masked 5",
                                  "4 local 5",
                                  "4 local 9 block",
                                  "4 conv 5/2",
                                  "4 conv 4/1 separable",
                                  "4 conv 5/2 normal",
                                  "4 conv 8/4 speechformer",
                                  "4 full smoothed",
                                  "4 full suppressed 0.5",
                                  "4 full relaxed 0.3",
                                  "4 full relaxed 0.3 fuzzy 0.1",
                                  "4 local 7 relaxed 0.3",
                                  "4 local 7 smoothed",
                                  "4 local 7 suppressed 0.5",
                                  "4 local 9 block relaxed 0.3 matched",
                                  "4 conv 5/2 relaxed 0.3",
                                  "4 masked suppressed 0.5",
                                  "1 local 9 block + 2 conv 5/2 + 1 full",
                                  "4 full / 4 reuse 1",
                                  "4 local 5 / 4 reuse 1 relaxed 0.3"})
            row(heads);
        for (const char* heads : {"4 full", "4 local 5", "4 masked", "4 full / 4 reuse 1"})
            row(heads, "relative");
        for (const char* heads : {"4 full", "4 local 5", "4 local 9 block"})
            row(heads, "rotary");
        for (const char* heads : {"4 full", "4 local 5"})
            row(heads, "relative-legacy");
    }

private Q_SLOTS:
    void aNumberReadBackIsNoticed() { // the test is able to fail
        const at::Tensor x = at::empty({2}, at::TensorOptions().device(kMeta).dtype(at::kFloat));
        QVERIFY_EXCEPTION_THROWN(x.sum().item<double>(), std::exception);
        QVERIFY_EXCEPTION_THROWN(x.add(at::empty({2}, at::kFloat)), std::exception);
    }

    void everyFamilyTrainsWhereItsParametersAre_data() { everyFamily(); }
    void everyFamilyTrainsWhereItsParametersAre() {
        trains(fetched(), 0.1);
        trains(fetched(), 0);
    }

    void everyKindTrainsWhereItsParametersAre_data() { everyKind(); }
    void everyKindTrainsWhereItsParametersAre() {
        QFETCH(QString, heads);
        QFETCH(QString, positions);
        trains(ofHeads(heads, positions), 0.1);
        trains(ofHeads(heads, positions), 0);
    }

    void everyFamilyIsObservedWhereItsParametersAre_data() { everyFamily(); }
    void everyFamilyIsObservedWhereItsParametersAre() { isObserved(fetched()); }

    void everyKindIsObservedWhereItsParametersAre_data() { everyKind(); }
    void everyKindIsObservedWhereItsParametersAre() {
        QFETCH(QString, heads);
        QFETCH(QString, positions);
        isObserved(ofHeads(heads, positions));
    }

    /// One update, and the loss of a validation.
    void everyFamilyIsUpdatedWhereItsParametersAre_data() { everyFamily(); }
    void everyFamilyIsUpdatedWhereItsParametersAre() {
        Architecture architecture = fetched();
        architecture.encoder.dropout = 0.1;
        if (!architecture.decoder && architecture.outputWidth() != architecture.encoder.width)
            QSKIP("Its CTC is on shortened tokens.");
        if (!architecture.decoder && !architecture.ctc)
            QSKIP("It has no output to train.");
        const Parameters parameters = onMeta(madeWeights(architecture));
        const bool samples = architecture.frontEnd.reads == InputKind::Waveform;
        training::Batch batch;
        batch.bins = architecture.frontEnd.features;
        batch.frames = samples ? std::vector<std::int64_t>{6000, 4100} : std::vector<std::int64_t>{150, 97};
        batch.longest = batch.frames.front();
        batch.features.assign(static_cast<std::size_t>(2 * batch.longest * batch.bins), 0);
        batch.targets = {{3, 4, 5}, {3, 6}};
        Recipe::Loss loss;
        loss.labelSmoothing = 0.1;
        loss.ctcWeight = architecture.ctc ? 0.3 : 0;
        loss.rDrop = architecture.decoder ? 1 : 0;
        const training::PendingLoss before =
            training::pendingLoss(parameters, architecture, loss, batch, false, false);
        QVERIFY(before.loss.is_meta() && before.nll.is_meta());
        const training::PendingLoss trained =
            training::pendingLoss(parameters, architecture, loss, batch, true, true);
        QVERIFY(trained.loss.is_meta() && trained.tokens > 0);
        QVERIFY_EXCEPTION_THROWN(trained.read(), std::exception); // only here is a number read
        for (const char* kind : {"adam", "adam-fairseq"}) { // with norm and clipping there, as on a GPU
            training::pendingLoss(parameters, architecture, loss, batch, true, true);
            Recipe::Optimiser recipe;
            recipe.kind = kind;
            training::Adam optimiser(parameters, recipe);
            const at::Tensor norm = optimiser.gradientNormThere();
            QVERIFY(norm.is_meta());
            optimiser.apply(1, 1e-3, norm.reciprocal().clamp_max(1));
            parameters.forEach([&](const std::string& name, const at::Tensor& parameter) {
                QVERIFY2(parameter.is_meta() && !parameter.grad().defined(), name.c_str());
            });
        }
    }
};

HEADROOM_TEST(DevicesTest)

} // namespace headroom::testing::devices_test

#include "devices_test.moc"
