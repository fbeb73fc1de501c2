// SPDX-License-Identifier: GPL-3.0-or-later
// Unigram smoothing and scheduled sampling, against written-out twins.
#include "core/errors/error.h"
#include "models/networks/layer_factors.h"
#include "models/networks/s2t_decoder.h"
#include "models/networks/s2t_encoder.h"
#include "tests/support/runner.h"
#include "tests/support/small_architectures.h"
#include "tests/training/loop/pass_batches.h"
#include "training/loop/batch_loss.h"
#include "training/loop/initial_weights.h"
#include "training/loop/losses/unigram.h"

#include <ATen/ops/randn.h>
#include <ATen/ops/tensor.h>

#include <QtTest/QtTest>

namespace headroom::testing::passes_test {

using namespace headroom::training;
using namespace pass_batches;
using models::LayerFactors;

class PassesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void unigramSmoothingIsItsFormula();
    void unigramCountsLabelsAndEnds();
    void aPassSmoothsTowardsTheUnigram();
    void scheduledSharesFollowTheEpochs();
    void sampledInputsAreTheDecodersOwn();
    void samplingDoesNotDependOnTheBatch();
    void samplingInBfloat16LeavesGradients();
    void aPassWithoutDropoutSamplesNothing();
    void whatCannotBeSampledIsRefused();
    void aPassOfTheWarmUpHasASmallerGamma();
};

/// Encoder and decoder: half of γ = 0.4 is γ = 0.2. Without dropout of training γ is not scaled, because nothing is relaxed.
void PassesTest::aPassOfTheWarmUpHasASmallerGamma() {
    const auto relaxed = [](const char* gamma) {
        Architecture architecture = quiet(smallTransformer({std::string("4 full relaxed ") + gamma}));
        architecture.decoder->crossAttention = parseHeads(std::string("4 full relaxed ") + gamma);
        return architecture;
    };
    const Architecture whole = relaxed("0.4"), half = relaxed("0.2");
    const models::Parameters parameters = initialWeights(whole, false, 3);
    const Batch batch = batchOf({0, 1, 2});
    PassOptions options;
    options.relaxation = 0.5;
    const auto loss = [&](const Architecture& architecture, bool trains, const PassOptions& how) {
        return batchLoss(parameters, architecture, {0.1, 0}, batch, trains, false, how).crossEntropy.lossSum;
    };
    QVERIFY(std::abs(loss(whole, true, options) - loss(half, true, {})) < 1e-4);
    QVERIFY(std::abs(loss(whole, true, options) - loss(whole, true, {})) > 1e-3);
    QCOMPARE(loss(whole, false, options), loss(whole, false, {}));
}

void PassesTest::unigramSmoothingIsItsFormula() {
    const double smoothing = 0.2;
    const std::vector<double> shares{0.1, 0, 0.4, 0.2, 0.3};
    at::Tensor logits = at::randn({2, 3, 5}, at::kDouble).set_requires_grad(true);
    const at::Tensor labels = at::tensor({2, 4, 1, 3, 1, 1}, at::kLong).view({2, 3}); // 1 is <pad>
    at::Tensor nll;
    std::int64_t tokens = 0;
    const at::Tensor loss = labelSmoothedLoss(logits, labels, smoothing, nll, tokens, 1, &shares);
    loss.backward();
    double expected = 0, plain = 0;
    for (std::int64_t row = 0; row < 2; ++row)
        for (std::int64_t t = 0; t < 3; ++t) {
            const auto label = labels[row][t].item<std::int64_t>();
            double sum = 0;
            for (std::int64_t v = 0; v < 5; ++v)
                sum += std::exp(logits[row][t][v].item<double>());
            for (std::int64_t v = 0; v < 5; ++v) {
                const double p = std::exp(logits[row][t][v].item<double>()) / sum;
                const double wanted =
                    label == 1 ? 0 : (v == label ? 1 - smoothing : 0) + smoothing * shares[static_cast<std::size_t>(v)];
                expected -= wanted * std::log(p);
                plain -= label != 1 && v == label ? std::log(p) : 0;
                const double slope = label == 1 ? 0 : p - wanted; // of a cross entropy against a distribution
                QVERIFY(std::abs(logits.grad()[row][t][v].item<double>() - slope) < 1e-12);
            }
        }
    QVERIFY(std::abs(loss.item<double>() - expected) < 1e-12);
    QVERIFY(std::abs(nll.item<double>() - plain) < 1e-12);
    QCOMPARE(tokens, std::int64_t(3));
}

void PassesTest::unigramCountsLabelsAndEnds() {
    std::vector<Example> examples(2);
    examples[0].target = {4, 4, 5};
    examples[1].target = {4};
    Recipe::Loss recipe;
    QVERIFY(!unigramOf(examples, 6, recipe));
    recipe.smoothing = "unigram";
    QCOMPARE(unigramOf(examples, 6, recipe).value(),
             (std::vector<double>{1 / 12., 1 / 12., 3 / 12., 1 / 12., 4 / 12., 2 / 12.}));
    recipe.unigramCount = 0;
    QCOMPARE(unigramOf(examples, 6, recipe).value(), (std::vector<double>{0, 0, 2 / 6., 0, 3 / 6., 1 / 6.}));
}

void PassesTest::aPassSmoothsTowardsTheUnigram() {
    const Architecture architecture = quiet(smallTransformer({"4 full"}));
    const models::Parameters parameters = initialWeights(architecture, false, 3);
    const std::vector<double> even(kPieces, 1.0 / kPieces);
    PassOptions options;
    options.unigram = &even;
    const Batch batch = batchOf({0, 1, 2});
    // Smoothing by ε over V labels alike is the uniform one by ε (V − 1) / V, whose share of each other label is ε / V.
    const auto found = batchLoss(parameters, architecture, {0.2, 0}, batch, false, false, options);
    const auto uniform = batchLoss(parameters, architecture, {0.2 * (kPieces - 1) / kPieces, 0}, batch, false, false);
    QVERIFY(std::abs(found.crossEntropy.lossSum - uniform.crossEntropy.lossSum) < 1e-3);
    QCOMPARE(found.crossEntropy.nllSum, uniform.crossEntropy.nllSum);
}

void PassesTest::scheduledSharesFollowTheEpochs() {
    Recipe::Loss recipe;
    QCOMPARE(samplingOf(recipe, 1, 9).truth, 1.0);
    recipe.scheduledSampling = "0.9, 0.5 0.25";
    recipe.scheduledSamplingFrom = 3;
    const std::vector<double> wanted{1, 1, 0.9, 0.5, 0.25, 0.25, 0.25};
    for (std::int64_t epoch = 1; epoch <= 7; ++epoch)
        QCOMPARE(samplingOf(recipe, 1, epoch).truth, wanted[static_cast<std::size_t>(epoch - 1)]);
    Recipe whole;
    overrideRecipe(whole, "loss.scheduledSampling=\"1 0.75\"");
    QVERIFY(parseRecipe(canonicalText(whole), "x") == whole);
    for (const char* text : {"", "0.5 1.5", "0.9 half", "-0.1", "nan", "0.5]"}) {
        try {
            overrideRecipe(whole, std::string("loss.scheduledSampling=\"") + text + "\"");
            QFAIL(text);
        } catch (const Error& error) {
            QVERIFY2(std::string(error.what()).find("probabilities of the true token") != std::string::npos, error.what());
        }
    }
}

void PassesTest::sampledInputsAreTheDecodersOwn() {
    const Architecture architecture = quiet(smallTransformer({"4 full"}));
    const models::Parameters parameters = initialWeights(architecture, false, 5);
    const Sampling sampling{0.4, 11, 3};
    std::int64_t replaced = 0, kept = 0;
    double loss = 0;
    Gradients expected;
    for (std::int64_t i = 0; i < 3; ++i) {
        const Batch batch = batchOf({i});
        const auto& target = batch.targets.front();
        const at::Tensor features = at::tensor(batch.features).view({1, batch.longest, batch.bins});
        const auto encode = [&] { return models::encodeBatch(parameters, architecture, features, batch.frames); };
        Random random = randomFor(11, Purpose::Sampling, 3, static_cast<std::uint64_t>(i));
        std::vector<int> inputs{2};
        for (const int token : target) {
            at::Tensor said = models::S2tDecoder(parameters, architecture, encode()).feed(inputs)[-1].detach().clone();
            said[1] = -1e30; // <pad>
            const bool own = random.share() < 0.4;
            inputs.push_back(own ? token : static_cast<int>(said.argmax().item<std::int64_t>()));
            ++(own ? kept : replaced);
        }
        std::vector<std::int64_t> labels(target.begin(), target.end());
        labels.push_back(2);
        CrossEntropy values;
        labelSmoothedLoss(models::S2tDecoder(parameters, architecture, encode()).feed(inputs).unsqueeze(0),
                          at::tensor(labels, at::kLong).view({1, -1}), 0.1, values)
            .backward(); // gradients add up
        loss += values.lossSum;
    }
    expected = takeGradients(parameters);
    QVERIFY(replaced > 3 && kept > 3);
    PassOptions options;
    options.sampling = sampling;
    const auto found = batchLoss(parameters, architecture, {0.1, 0}, batchOf({0, 1, 2}), true, true, options);
    QVERIFY(std::abs(found.crossEntropy.lossSum - loss) < 1e-3);
    const double difference = apart(takeGradients(parameters), expected);
    QVERIFY2(difference < 1e-4, qPrintable(QString::number(difference)));
    options.sampling.epoch = 4; // other tokens
    const auto later = batchLoss(parameters, architecture, {0.1, 0}, batchOf({0, 1, 2}), true, false, options);
    QVERIFY(std::abs(later.crossEntropy.lossSum - loss) > 1e-2);
}

void PassesTest::samplingDoesNotDependOnTheBatch() {
    const Architecture architecture = quiet(smallTransformer({"4 full"}));
    const models::Parameters parameters = initialWeights(architecture, false, 6);
    PassOptions options;
    options.sampling = {0.5, 2, 1};
    const auto together = batchLoss(parameters, architecture, {0.1, 0}, batchOf({2, 0, 1}), true, true, options);
    const Gradients expected = takeGradients(parameters);
    double loss = 0;
    for (const auto& part : {std::vector<std::int64_t>{0, 2}, {1}})
        loss += batchLoss(parameters, architecture, {0.1, 0}, batchOf(part), true, true, options).crossEntropy.lossSum;
    QVERIFY(std::abs(loss - together.crossEntropy.lossSum) < 1e-3);
    QVERIFY(apart(takeGradients(parameters), expected) < 1e-4);
}

void PassesTest::samplingInBfloat16LeavesGradients() {
    const Architecture architecture = quiet(smallTransformer({"4 full"}));
    const models::Parameters parameters = initialWeights(architecture, false, 6);
    PassOptions options;
    options.sampling = {0.5, 2, 1};
    const auto gradients = [&](const char* precision) {
        const PrecisionScope scope(precision);
        batchLoss(parameters, architecture, {0.1, 0}, batchOf({0, 1, 2}), true, true, options);
        return takeGradients(parameters);
    };
    const Gradients single = gradients("fp32"), half = gradients("bf16");
    QCOMPARE(half.size(), single.size());
    QVERIFY(largest(half.at("model.decoder.layers.0.fc1.weight")) > 0);
}

void PassesTest::aPassWithoutDropoutSamplesNothing() {
    const Architecture architecture = quiet(smallTransformer({"4 full", "4 full"}));
    const models::Parameters parameters = initialWeights(architecture, false, 6);
    const LayerFactors none{{0, 0}, {0, 0}};
    PassOptions options;
    options.sampling = {0, 2, 1};
    options.layers = &none;
    const Batch batch = batchOf({0, 1});
    const auto plain = batchLoss(parameters, architecture, {0.1, 0}, batch, false, false);
    QCOMPARE(batchLoss(parameters, architecture, {0.1, 0}, batch, false, false, options).crossEntropy.lossSum,
             plain.crossEntropy.lossSum);
    options.sampling.truth = 1;
    const LayerFactors all{{1, 1}, {1, 1}};
    options.layers = &all;
    QCOMPARE(batchLoss(parameters, architecture, {0.1, 0}, batch, true, false, options).crossEntropy.lossSum,
             plain.crossEntropy.lossSum);
}

void PassesTest::whatCannotBeSampledIsRefused() {
    const auto refusal = [](const Architecture& architecture, const std::vector<std::string>& sets) {
        Recipe recipe;
        for (const std::string& set : sets)
            overrideRecipe(recipe, "loss." + set);
        try {
            checkTrainable(architecture, recipe.loss, "a.json");
        } catch (const Error& error) {
            return QString(error.what());
        }
        return QString();
    };
    const std::string sampling = "scheduledSampling=\"1 0.5\"", unigram = "smoothing=\"unigram\"";
    const Architecture whole = smallTransformer({"4 full"}), lm = smallLanguageModel(LanguageModelKind::Transformer, 2);
    QCOMPARE(refusal(whole, {sampling, unigram}), QString());
    QCOMPARE(refusal(lm, {unigram}), QString());
    QVERIFY(refusal(lm, {sampling}).contains("scheduled sampling is for decoders"));
    QVERIFY(refusal(smallConformer({"4 full"}), {sampling}).contains("no decoder, so loss.scheduledSampling"));
    QVERIFY(refusal(smallConformer({"4 full"}), {unigram}).contains("no decoder, so loss.smoothing"));
    QVERIFY(refusal(whole, {sampling, "rDrop=1"}).contains("cannot be combined"));
}

HEADROOM_TEST(PassesTest)

} // namespace headroom::testing::passes_test

#include "passes_test.moc"
