// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/checkpoints/tensor_names.h"
#include "models/layers/basic.h"
#include "models/networks/ctc.h"
#include "models/networks/s2t_decoder.h"
#include "models/networks/s2t_encoder.h"
#include "models/networks/step_decoder.h"
#include "tests/models/networks/families.h"
#include "tests/support/runner.h"
#include "training/loop/initial_weights.h"

#include <ATen/ops/cat.h>
#include <ATen/ops/tensor.h>
#include <ATen/ops/zeros.h>
#include <c10/core/InferenceMode.h>

#include <QTest>

namespace headroom::testing::families_test {

using namespace headroom::models;

namespace {

Architecture conformerM(int sharing, const std::string& heads) { // Shim et al. 2022, Table 4
    Architecture result;
    result.name = "Conformer-M";
    result.frontEnd.channels = 256;
    result.frontEnd.kernels = {3, 3};
    result.frontEnd.activation = FrontEndActivation::Relu;
    result.frontEnd.norm = FrontEndNorm::Batch;
    result.encoder.kind = EncoderKind::Conformer;
    result.encoder.feedForward = 1024;
    result.encoder.positions = Positions::Relative;
    result.encoder.activation = Activation::Swish;
    result.encoder.convolution = Architecture::Convolution{};
    for (int layer = 0; layer < 16; ++layer) {
        const std::string first = std::to_string(layer - layer % sharing + 1);
        result.encoder.layers.push_back(
            {parseHeads(heads + (layer % sharing ? " reuse " + first : " full suppressed 0.5"))});
    }
    result.ctc = 128;
    return result;
}

Architecture espresso(int width, int feedForward) { // Lohrenz et al. 2022, Table 1
    Architecture result = smallFamily("relaxed");
    result.frontEnd.planes = {64, 64, 128, 128};
    result.encoder.width = result.decoder->width = width;
    result.encoder.feedForward = result.decoder->feedForward = feedForward;
    result.encoder.layers.assign(12, {parseHeads("4 full")});
    result.decoder->layers = 6;
    result.vocabulary = 5000;
    return result;
}

Architecture s2tSmall(int vocabulary) {
    Architecture result;
    result.encoder.layers.assign(12, {parseHeads("4 full")});
    result.decoder.emplace();
    result.decoder->selfAttention = parseHeads("4 masked");
    result.decoder->crossAttention = parseHeads("4 full");
    result.vocabulary = vocabulary;
    return result;
}

Architecture languageModel(LanguageModelKind kind, int layers, int width, int vocabulary) {
    Architecture result;
    result.languageModel.emplace();
    result.languageModel->kind = kind;
    result.languageModel->layers = layers;
    result.languageModel->width = width;
    result.languageModel->selfAttention = parseHeads("4 masked");
    result.languageModel->norm = NormPlace::Post;
    result.languageModel->tiedEmbeddings = true;
    result.vocabulary = vocabulary;
    return result;
}

std::int64_t learnt(const Architecture& architecture, const std::string& without = "nothing") {
    std::int64_t count = 0;
    for (const ExpectedTensor& tensor : expectedTensors(architecture, false)) {
        if (tensor.buffer || tensor.name.rfind(without, 0) == 0)
            continue;
        std::int64_t size = 1;
        for (const std::int64_t side : tensor.shape)
            size *= side;
        count += size;
    }
    return count;
}

void everyFamily() {
    QTest::addColumn<QString>("family");
    for (const Family& family : smallFamilies())
        QTest::newRow(family.name.c_str()) << QString::fromStdString(family.name);
}

const Architecture& fetched() {
    QFETCH(QString, family);
    return smallFamily(family.toStdString());
}

/// What the model says of the features: logits behind `tokens`, or of its CTC output, or its vectors.
at::Tensor said(const Parameters& parameters, const Architecture& architecture, const at::Tensor& features,
                const std::vector<std::int64_t>& frames, const std::vector<int>& tokens) {
    const at::Tensor memory = encodeBatch(parameters, architecture, features, frames);
    if (!architecture.decoder && !architecture.ctc)
        return memory;
    if (!architecture.decoder)
        return ctcLogits(parameters, architecture, memory);
    return S2tDecoder(parameters, architecture, memory).feed(tokens).unsqueeze(0);
}

} // namespace

class FamiliesTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void parametersAreThoseOfThePapers() {
        const std::string frontEnd = "model.encoder.conv.";
        QCOMPARE(learnt(conformerM(1, "4"), frontEnd), 25'452'672);
        QCOMPARE(learnt(conformerM(2, "4"), frontEnd), 24'922'240);
        QCOMPARE(learnt(conformerM(4, "8"), frontEnd), 24'657'024);
        QCOMPARE(learnt(conformerM(8, "4"), frontEnd), 24'524'416);
        QCOMPARE(learnt(s2tSmall(8000)), 31'072'256);
        QCOMPARE(learnt(s2tSmall(5000)), 29'536'256);
        QCOMPARE(learnt(espresso(256, 1024)), 19'274'176);
        QCOMPARE(learnt(espresso(512, 2048)), 69'745'856);
        Architecture withPitch = espresso(512, 2048);
        withPitch.frontEnd.features = 83;
        QCOMPARE(learnt(withPitch), 69'811'392);
        QCOMPARE(learnt(languageModel(LanguageModelKind::Lstm, 4, 800, 5000)), 24'505'600);
        QCOMPARE(learnt(languageModel(LanguageModelKind::Transformer, 16, 512, 1000)), 50'950'144);
        QCOMPARE(learnt(languageModel(LanguageModelKind::Transformer, 6, 512, 10000)), 24'034'304);
    }

    void weightsAreDrawnForEveryTensor_data() { everyFamily(); }
    void weightsAreDrawnForEveryTensor() {
        const Parameters weights = training::initialWeights(fetched(), false, 1);
        std::int64_t count = 0;
        weights.forEach([&](const std::string& name, const at::Tensor& tensor) {
            QVERIFY2(tensor.isfinite().all().item<bool>(), name.c_str());
            QVERIFY2(largest(tensor) < 10, name.c_str());
            QVERIFY2(tensor.requires_grad() != weights.isBuffer(name), name.c_str());
            count += weights.isBuffer(name) ? 0 : tensor.numel();
        });
        QCOMPARE(weights.elementCount(), count);
        QCOMPARE(count, learnt(fetched()));
    }

    void batchNeighboursChangeNothing_data() { everyFamily(); }
    void batchNeighboursChangeNothing() { // O19
        const c10::InferenceMode inference;
        const Architecture& architecture = fetched();
        const Parameters parameters = madeWeights(architecture);
        const std::vector<std::int64_t> frames{57, 203, 58, 120, 9, 3};
        const at::Tensor batch = madeBatch(frames, 1, architecture.frontEnd.features);
        const at::Tensor together = encodeBatch(parameters, architecture, batch, frames);
        QVERIFY(together.isfinite().all().item<bool>());
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const auto item = static_cast<std::int64_t>(i);
            const at::Tensor alone =
                encodeBatch(parameters, architecture,
                            batch.narrow(0, item, 1).narrow(1, 0, frames[i]).clone(), {frames[i]})
                    .squeeze(0);
            QCOMPARE(alone.size(0), subsampledLength(architecture.frontEnd, frames[i]));
            const double difference = largest(together[item].narrow(0, 0, alone.size(0)).sub(alone));
            QVERIFY2(difference <= 1e-4, std::to_string(difference).c_str());
        }
        // The test is able to fail: what stands in the recording itself does change it.
        at::Tensor louder = batch.clone();
        louder[0].narrow(0, 0, 20).mul_(2); // not the whole: a GroupNorm would not hear it
        QVERIFY(largest(encodeBatch(parameters, architecture, louder, frames)[0].sub(together[0])) > 1e-4);
    }

    void analysingIsEncoding_data() { everyFamily(); }
    void analysingIsEncoding() {
        const c10::InferenceMode inference;
        const Architecture& architecture = fetched();
        const Parameters parameters = madeWeights(architecture);
        const at::Tensor features = madeBatch({150}, 1, architecture.frontEnd.features);
        const at::Tensor bare = encodeBatch(parameters, architecture, features, {150});
        int seen = 0;
        const auto observe = [&](int) -> AttentionObserver {
            return [&](const AttentionStep& step) {
                ++seen;
                QVERIFY(!step.groups.empty());
            };
        };
        const at::Tensor watched =
            encodeBatch(parameters, architecture, features, {150}, Padding::Safe, observe);
        QCOMPARE(seen, static_cast<int>(architecture.encoder.layers.size()));
        QVERIFY(sameAsObserved(architecture, watched, bare));
        // Which layers are observed changes no bit.
        const at::Tensor lastOnly = encodeBatch(
            parameters, architecture, features, {150}, Padding::Safe, [&](int layer) -> AttentionObserver {
                return layer == static_cast<int>(architecture.encoder.layers.size()) ? observe(layer)
                                                                                     : AttentionObserver();
            });
        QVERIFY(lastOnly.equal(watched));
    }

    void statesAndTheClockChangeNothing_data() { everyFamily(); }
    void statesAndTheClockChangeNothing() {
        const c10::InferenceMode inference;
        const Architecture& architecture = fetched();
        const Parameters parameters = madeWeights(architecture);
        const at::Tensor features = madeBatch({150}, 1, architecture.frontEnd.features);
        const at::Tensor bare = encodeBatch(parameters, architecture, features, {150});
        std::vector<at::Tensor> states;
        EncoderTimes times;
        const at::Tensor watched = encodeBatch(
            parameters, architecture, features, {150}, Padding::Safe, {}, {},
            [&](int layer, const at::Tensor& x) {
                QCOMPARE(layer, static_cast<int>(states.size()));
                states.push_back(x);
            },
            &times);
        QVERIFY(watched.equal(bare));
        const std::size_t layers = architecture.encoder.layers.size();
        QCOMPARE(states.size(), layers + 1);
        const bool normed = !architecture.encoder.normsOutput();
        const Scope encoder = Scope(parameters) / "model" / "encoder";
        QVERIFY((normed ? states.back() : layerNorm(encoder / "layer_norm", states.back())).equal(bare));

        QCOMPARE(times.attention.size(), layers);
        QCOMPARE(times.layers.size(), layers);
        double within = times.frontEnd;
        for (std::size_t l = 0; l < layers; ++l) {
            QVERIFY(times.attention[l] > 0 && times.attention[l] < times.layers[l]);
            within += times.layers[l];
        }
        QVERIFY(times.frontEnd > 0 && within <= times.total);
        QVERIFY(std::abs(times.attentionTotal() + times.rest() - times.total) < 1e-12);
    }

    void doublePrecisionSaysTheSame_data() { everyFamily(); }
    void doublePrecisionSaysTheSame() {
        const c10::InferenceMode inference;
        const Architecture& architecture = fetched();
        const Parameters parameters = madeWeights(architecture);
        const std::vector<std::int64_t> frames{203};
        const std::vector<int> tokens{2, 17, 4, 33};
        const at::Tensor features = madeBatch(frames, 1, architecture.frontEnd.features);
        const at::Tensor single = said(parameters, architecture, features, frames, tokens);
        const at::Tensor twice =
            said(parameters.inDouble(), architecture, features.to(at::kDouble), frames, tokens);
        QCOMPARE(twice.scalar_type(), at::kDouble);
        const double difference = largest(single.sub(twice));
        QVERIFY2(difference <= 1e-4, std::to_string(difference).c_str());
        QVERIFY(largest(single) > 1e-2);
    }

    void decoderFedTokenByTokenSaysTheSame_data() { everyFamily(); }
    void decoderFedTokenByTokenSaysTheSame() {
        const c10::InferenceMode inference;
        const Architecture& architecture = fetched();
        if (!architecture.decoder)
            QSKIP("it has none");
        const Parameters parameters = madeWeights(architecture);
        const at::Tensor memory = encodeBatch(parameters, architecture, madeBatch({150}, 1, architecture.frontEnd.features), {150});
        const std::vector<int> tokens{2, 17, 4, 33, 17};
        const at::Tensor whole = S2tDecoder(parameters, architecture, memory).feed(tokens);
        S2tDecoder stepwise(parameters, architecture, memory);
        std::vector<at::Tensor> rows{stepwise.feed({tokens[0], tokens[1]})};
        for (std::size_t t = 2; t < tokens.size(); ++t)
            rows.push_back(stepwise.feed({tokens[t]}));
        QVERIFY(largest(at::cat(rows).sub(whole)) <= 1e-4);
    }

    void searchesHaveADecoderThatSaysTheSame_data() { everyFamily(); }
    void searchesHaveADecoderThatSaysTheSame() { // with padding, while texts move, double and end
        const c10::InferenceMode inference;
        const Architecture& architecture = fetched();
        if (!architecture.decoder)
            QSKIP("it has none");
        const Parameters parameters = madeWeights(architecture);
        const std::vector<std::int64_t> frames{150, 97};
        const at::Tensor memory = encodeBatch(parameters, architecture,
                                              madeBatch(frames, 1, architecture.frontEnd.features), frames);
        std::vector<std::int64_t> lengths;
        for (const std::int64_t count : frames)
            lengths.push_back(subsampledLength(architecture.frontEnd, count));
        if (!StepDecoder::fits(architecture, memory))
            QSKIP("its heads are not plain");
        S2tDecoder expected(parameters, architecture, memory, lengths);
        StepDecoder found(parameters, architecture, memory, lengths), alone(parameters, architecture, memory, lengths);
        struct Step {
            std::vector<std::int64_t> parents;
            std::vector<std::vector<int>> tokens;
        };
        const std::vector<Step> steps{{{0, 1}, {{2}, {2}}},
                                      {{0, 0, 0, 1, 1}, {{17}, {4}, {33}, {17}, {5}}},
                                      {{2, 0, 0, 4, 4, 3, 3, 3}, {{9}, {8}, {7}, {6}, {5}, {4}, {10}, {11}}},
                                      {{3, 0, 5, 2}, {{7}, {7}, {12}, {8}}},
                                      {{0, 2}, {{20}, {21}}},
                                      {{1, 1, 0}, {{3}, {30}, {2}}}};
        for (const Step& step : steps) {
            expected.select(step.parents);
            found.select(step.parents);
            const at::Tensor rows = found.feedBatch(step.tokens), wanted = expected.feedBatch(step.tokens);
            QCOMPARE(rows.sizes(), wanted.sizes());
            const double difference = largest(rows.sub(wanted));
            QVERIFY2(difference <= 1e-5 * std::max(1.0, largest(wanted)), std::to_string(difference).c_str());
        }
        // A row says the same whatever lies beside it.
        const at::Tensor both = alone.feedBatch({{2}, {2}});
        StepDecoder second(parameters, architecture, memory, lengths);
        second.select({1});
        QVERIFY(largest(second.feedBatch({{2}})[0].sub(both[1])) <= 1e-6 * std::max(1.0, largest(both)));
    }

    void slopesAreThoseOfFiniteDifferences_data() { everyFamily(); }
    void slopesAreThoseOfFiniteDifferences() { // while training, with padding: batch statistics, relaxed maps
        const Architecture& architecture = fetched();
        QFETCH(QString, family);
        if (family == "relaxedFuzzy")
            QSKIP("it draws");
        Parameters parameters = madeWeights(architecture).inDouble();
        parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
            if (!parameters.isBuffer(name) && name.rfind("model.encoder.", 0) == 0)
                at::Tensor(tensor).set_requires_grad(true);
        });
        const std::vector<std::int64_t> frames{61, 90};
        const at::Tensor features = madeBatch(frames, 1, architecture.frontEnd.features).to(at::kDouble);
        const auto loss = [&] {
            const at::Tensor output = encodeBatch(parameters, architecture, features, frames, Padding::Safe,
                                                  {}, Dropout{0, 0, true});
            at::Tensor sum = at::zeros({}, at::kDouble);
            for (std::int64_t item = 0; item < 2; ++item)
                sum = sum.add(output[item]
                                  .narrow(0, 0,
                                          subsampledLength(architecture.frontEnd,
                                                           frames[static_cast<std::size_t>(item)]))
                                  .sin()
                                  .sum());
            return sum;
        };
        loss().backward();
        constexpr double kStep = 1e-6;
        parameters.forEach([&](const std::string& name, const at::Tensor& tensor) {
            if (!tensor.requires_grad())
                return;
            QVERIFY2(tensor.grad().defined(), name.c_str());
            const std::int64_t place = tensor.numel() / 3;
            at::Tensor value = tensor.detach().view({-1})[place];
            const double slope = tensor.grad().reshape({-1})[place].item<double>();
            value.add_(kStep);
            const double above = loss().item<double>();
            value.sub_(2 * kStep);
            const double below = loss().item<double>();
            value.add_(kStep);
            const double expected = (above - below) / (2 * kStep);
            QVERIFY2(std::abs(slope - expected) <= 1e-5 * (1 + std::abs(expected)),
                     (name + ": " + std::to_string(slope) + ", not " + std::to_string(expected)).c_str());
        });
    }

    void theBestPathIsCollapsed() {
        // blank 0: "0 4 4 0 4 5 5 0" says 4 4 5.
        const std::vector<std::int64_t> path{0, 4, 4, 0, 4, 5, 5, 0};
        at::Tensor logits = at::zeros({2, 8, 6});
        for (std::int64_t t = 0; t < 8; ++t)
            for (std::int64_t item = 0; item < 2; ++item)
                logits[item][t][path[static_cast<std::size_t>(t)]].fill_(1);
        const auto texts = ctcGreedy(logits, {8, 3});
        QCOMPARE(texts[0], (std::vector<int>{4, 4, 5}));
        QCOMPARE(texts[1], (std::vector<int>{4})); // what stands behind its own tokens says nothing
        QCOMPARE(ctcGreedy(logits, {})[1], (std::vector<int>{4, 4, 5}));
    }
};

HEADROOM_TEST(FamiliesTest)

} // namespace headroom::testing::families_test

#include "families_test.moc"
