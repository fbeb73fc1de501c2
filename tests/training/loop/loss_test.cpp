// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/Context.h>
#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/empty.h>
#include <ATen/ops/matmul.h>
#include <ATen/ops/randn.h>
#include <ATen/ops/softmax.h>
#include <ATen/ops/zeros.h>
#include <ATen/Parallel.h>

#include "core/tensors/npy.h"
#include "models/attention/attention_block.h"
#include "models/checkpoints/tensor_names.h"
#include "models/layers/basic.h"
#include "tests/support/goldens.h"
#include "tests/support/runner.h"
#include "training/loop/batch_loss.h"
#include "training/loop/initial_weights.h"

#include <QtTest/QtTest>

#include <cmath>
#include <cstring>
#include <fstream>
#include <numeric>

namespace headroom::testing::loss_test {

using namespace headroom::training;
namespace fs = std::filesystem;

namespace {

at::Tensor readTensor(const fs::path& file, at::ScalarType type) {
    const Tensor tensor = readNpy(file);
    at::Tensor result = at::empty(tensor.shape, at::kDouble);
    const auto values = toDoubles(tensor.view());
    std::memcpy(result.mutable_data_ptr<double>(), values.data(), values.size() * sizeof(double));
    return result.to(type);
}

double largest(const at::Tensor& difference) {
    return difference.abs().max().item<double>();
}

Architecture tiny(const std::string& heads) {
    Architecture architecture;
    architecture.name = "tiny";
    architecture.frontEnd.channels = 16;
    architecture.encoder.width = 16;
    architecture.encoder.feedForward = 24;
    architecture.encoder.layers = {{parseHeads(heads)}, {parseHeads(heads)}};
    architecture.decoder = Architecture::Decoder{1, 16, 24, parseHeads("2 masked"), parseHeads("2 full")};
    architecture.vocabulary = 20;
    return architecture;
}

Batch batchOf(const std::vector<std::int64_t>& frames, const std::vector<std::vector<int>>& targets) {
    Batch batch;
    batch.frames = frames;
    batch.longest = *std::max_element(frames.begin(), frames.end());
    batch.targets = targets;
    batch.features.resize(frames.size() * static_cast<std::size_t>(batch.longest * 80));
    for (std::size_t i = 0; i < frames.size(); ++i) {
        std::uint32_t state = static_cast<std::uint32_t>(frames[i]); // the same recording in every batch
        for (std::int64_t k = 0; k < frames[i] * 80; ++k) {
            state = state * 1664525U + 1013904223U;
            batch.features[i * static_cast<std::size_t>(batch.longest * 80) + static_cast<std::size_t>(k)] =
                static_cast<float>(state >> 8) / (1 << 23) - 1;
        }
    }
    return batch;
}

} // namespace

class LossTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void labelSmoothingIsTheHandFormula();
    void labelSmoothingAndItsGradientAreTheReferences_data() { testing::addGoldenFolders(); }
    void labelSmoothingAndItsGradientAreTheReferences();
    void ctcAndItsGradientAreTheReferences_data() { testing::addGoldenFolders(); }
    void ctcAndItsGradientAreTheReferences();
    void gradientOfTheLocalHeadIsThatOfTheMaskedFullHead();
    void aBatchIsTheSumOfItsRecordings();
    void dropoutFollowsTheGenerator();
    void bfloat16KeepsWeightsAndLossInSinglePrecision();
    void initialWeightsAreFairseqs();
    void greedyDecodingOfABatchIsThatOfEach();
    void greedyTextsHaveScores();
    void labelsOfFramesAreLearntTokenByToken();
};

// O20
void LossTest::labelSmoothingIsTheHandFormula() {
    const std::int64_t vocabulary = 10;
    const double smoothing = 0.1, share = smoothing / 9;
    const at::Tensor logits = at::randn({1, 3, vocabulary}, at::kDouble);
    const at::Tensor labels = at::arange(4, 7, at::kLong).view({1, 3});
    double expected = 0;
    for (std::int64_t t = 0; t < 3; ++t) {
        double sum = 0;
        for (std::int64_t v = 0; v < vocabulary; ++v)
            sum += std::exp(logits[0][t][v].item<double>());
        const auto nll = [&](std::int64_t v) { return std::log(sum) - logits[0][t][v].item<double>(); };
        expected += (1 - smoothing - share) * nll(4 + t);
        for (std::int64_t v = 0; v < vocabulary; ++v)
            expected += share * nll(v);
    }
    CrossEntropy values;
    const double found = labelSmoothedLoss(logits, labels, smoothing, values).item<double>();
    QVERIFY(std::abs(found - expected) < 1e-9);
    QCOMPARE(values.tokens, 3);
    const double single = labelSmoothedLoss(logits.to(at::kFloat), labels, smoothing, values).item<double>();
    QVERIFY(std::abs(single - expected) < 1e-5);
}

void LossTest::labelSmoothingAndItsGradientAreTheReferences() {
    const fs::path losses = testing::goldens() / "parity" / "losses";
    const auto expected = nlohmann::json::parse(std::ifstream(losses / "label_smoothing.json"));
    at::Tensor logits =
        readTensor(losses / "label_smoothing.logits.npy", at::kDouble).set_requires_grad(true);
    const at::Tensor labels = readTensor(losses / "label_smoothing.target.npy", at::kLong);
    CrossEntropy values;
    const at::Tensor loss = labelSmoothedLoss(logits, labels, 0.1, values);
    QVERIFY(std::abs(loss.item<double>() - expected["loss_sum"].get<double>()) < 1e-6);
    QVERIFY(std::abs(values.nllSum - expected["nll_sum"].get<double>()) < 1e-6);
    QCOMPARE(values.tokens, expected["tokens"].get<std::int64_t>());
    loss.backward();
    const at::Tensor gradient = readTensor(losses / "label_smoothing.gradient.npy", at::kDouble);
    QVERIFY(largest(logits.grad().sub(gradient)) < 1e-6);
}

void LossTest::ctcAndItsGradientAreTheReferences() {
    const fs::path losses = testing::goldens() / "parity" / "losses";
    // [token, batch, vocabulary]
    const at::Tensor stored = readTensor(losses / "ctc.logits.npy", at::kDouble);
    at::Tensor logits = stored.transpose(0, 1).contiguous().set_requires_grad(true);
    const at::Tensor all = readTensor(losses / "ctc.targets.npy", at::kLong);
    const at::Tensor lengths = readTensor(losses / "ctc.input_lengths.npy", at::kLong);
    const at::Tensor targetLengths = readTensor(losses / "ctc.target_lengths.npy", at::kLong);
    std::vector<std::int64_t> tokens;
    std::vector<std::vector<int>> targets;
    for (std::int64_t i = 0; i < lengths.numel(); ++i) {
        tokens.push_back(lengths[i].item<std::int64_t>());
        targets.emplace_back();
        for (std::int64_t k = 0; k < targetLengths[i].item<std::int64_t>(); ++k)
            targets.back().push_back(static_cast<int>(all[i][k].item<std::int64_t>()));
    }
    const at::Tensor loss = ctcLoss(logits, tokens, targets);
    const at::Tensor expected = readTensor(losses / "ctc.loss_zero_infinity.npy", at::kDouble);
    QVERIFY(std::abs(loss.item<double>() - expected.sum().item<double>()) < 1e-6);
    loss.backward();
    const at::Tensor gradient = readTensor(losses / "ctc.gradient_zero_infinity.npy", at::kDouble);
    QVERIFY(largest(logits.grad().transpose(0, 1).sub(gradient)) < 1e-6);
}

void LossTest::gradientOfTheLocalHeadIsThatOfTheMaskedFullHead() {
    constexpr std::int64_t kTokens = 23, kWidth = 16, kHeads = 2;
    const auto make = [&] {
        models::Parameters parameters;
        for (const auto& tensor : models::expectedTensors(tiny("1 local 5 + 1 full"), false))
            if (tensor.name.rfind("model.encoder.layers.0.", 0) == 0) {
                at::Tensor values = at::zeros(tensor.shape, at::kDouble);
                double* data = values.mutable_data_ptr<double>();
                for (std::int64_t i = 0; i < values.numel(); ++i)
                    data[i] = 0.4 * std::sin(0.7 * static_cast<double>(i) +
                                             static_cast<double>(tensor.name.size()));
                parameters.set(tensor.name, values.set_requires_grad(true));
            }
        return parameters;
    };
    const models::Parameters ours = make(), theirs = make();
    const at::Tensor x = at::randn({2, kTokens, kWidth}, at::kDouble);
    const at::Tensor weights = at::randn({2, kTokens, kWidth}, at::kDouble);

    const models::Scope scope = models::Scope(ours) / "model.encoder.layers.0";
    models::AttentionContext context({}, kTokens);
    models::selfAttentionBlock(scope, x, models::attentionPlan(tiny("1 local 5 + 1 full").encoder, 1, "tiny"),
                               context)
        .mul(weights)
        .sum()
        .backward();

    // Full attention written out, with scores of −10³⁰ where a head may not look.
    const models::Scope other = models::Scope(theirs) / "model.encoder.layers.0";
    const at::Tensor normed = models::layerNorm(other / "self_attn_layer_norm", x);
    const auto heads = [&](const char* name) {
        return models::linear(other / "self_attn" / name, normed)
            .view({2, kTokens, kHeads, kWidth / kHeads})
            .permute({0, 2, 1, 3});
    };
    at::Tensor mask = at::zeros({kHeads, kTokens, kTokens}, at::kDouble);
    for (std::int64_t i = 0; i < kTokens; ++i)
        for (std::int64_t j = 0; j < kTokens; ++j)
            if (std::abs(i - j) > 2)
                mask[0][i][j] = -1e30;
    const at::Tensor scores =
        at::matmul(heads("q_proj"), heads("k_proj").transpose(2, 3)).div(std::sqrt(8.0)).add(mask);
    const at::Tensor mixed = at::matmul(at::softmax(scores, -1), heads("v_proj"))
                                 .permute({0, 2, 1, 3})
                                 .reshape({2, kTokens, kWidth});
    models::linear(other / "self_attn" / "out_proj", mixed).add(x).mul(weights).sum().backward();

    int compared = 0;
    ours.forEach([&](const std::string& name, const at::Tensor& parameter) {
        if (name.find("self_attn") == std::string::npos)
            return;
        const at::Tensor& gradient = parameter.grad();
        QVERIFY2(gradient.defined(), name.c_str());
        QVERIFY2(largest(gradient.sub(theirs.get(name).grad())) < 1e-10, name.c_str());
        ++compared;
    });
    QCOMPARE(compared, 10);
}

void LossTest::aBatchIsTheSumOfItsRecordings() {
    for (const char* heads : {"2 full", "2 local 3", "1 full + 1 local 5"}) {
        const Architecture architecture = tiny(heads);
        const models::Parameters parameters = initialWeights(architecture, true, 3);
        const Recipe::Loss recipe{0.1, 0.5};
        const std::vector<std::int64_t> frames{61, 33, 20};
        const std::vector<std::vector<int>> targets{{4, 5, 6}, {7}, {8, 9}};
        const auto gradients = [&] {
            std::vector<at::Tensor> list;
            parameters.forEach([&](const std::string&, const at::Tensor& one) {
                list.push_back(one.grad().clone());
                one.mutable_grad().reset();
            });
            return list;
        };
        const BatchLoss together =
            batchLoss(parameters, architecture, recipe, batchOf(frames, targets), false, true);
        const auto expected = gradients();
        double loss = 0, ctc = 0;
        for (std::size_t i = 0; i < frames.size(); ++i) {
            const BatchLoss one =
                batchLoss(parameters, architecture, recipe, batchOf({frames[i]}, {targets[i]}), false, true);
            loss += one.crossEntropy.lossSum;
            ctc += one.ctc;
        }
        QVERIFY(std::abs(loss - together.crossEntropy.lossSum) < 1e-4);
        QVERIFY(std::abs(ctc - together.ctc) < 1e-3);
        const auto found = gradients();
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY(largest(found[i].sub(expected[i])) < 2e-4 * (1 + largest(expected[i])));
    }
}

void LossTest::dropoutFollowsTheGenerator() {
    const Architecture architecture = tiny("2 full");
    const models::Parameters parameters = initialWeights(architecture, false, 3);
    const Batch batch = batchOf({40}, {{4, 5}});
    const auto loss = [&](bool dropout) {
        return batchLoss(parameters, architecture, {0.1, 0}, batch, dropout, false).crossEntropy.lossSum;
    };
    QVERIFY(loss(true) != loss(true));
    QCOMPARE(loss(false), loss(false));
}

void LossTest::bfloat16KeepsWeightsAndLossInSinglePrecision() {
    const Architecture architecture = tiny("1 full + 1 local 5");
    const models::Parameters parameters = initialWeights(architecture, true, 3);
    const Batch batch = batchOf({61, 40}, {{4, 5, 6}, {7}});
    const auto run = [&](const char* precision) {
        const PrecisionScope scope(precision);
        return batchLoss(parameters, architecture, {0.1, 0.3}, batch, false, true).total(0.3);
    };
    const double single = run("fp32");
    std::vector<at::Tensor> gradients;
    parameters.forEach([&](const std::string&, const at::Tensor& one) {
        gradients.push_back(one.grad().clone());
        one.mutable_grad().reset();
    });
    const double half = run("bf16");
    QVERIFY(half != single);
    QVERIFY2(std::abs(half - single) < 0.02 * single,
             (std::to_string(half) + " " + std::to_string(single)).c_str());
    std::size_t i = 0;
    parameters.forEach([&](const std::string& name, const at::Tensor& one) {
        QVERIFY2(one.scalar_type() == at::kFloat && one.grad().scalar_type() == at::kFloat, name.c_str());
        if (name.ends_with("k_proj.bias")) { // a softmax does not feel it: its gradient is rounding
            ++i;
            return;
        }
        const double size = 1e-3 + largest(gradients[i]);
        QVERIFY2(largest(one.grad().sub(gradients[i++])) < 0.1 * size, name.c_str());
    });
    QCOMPARE(run("fp32"), single); // autocast is off again
}

void LossTest::initialWeightsAreFairseqs() {
    Architecture architecture = tiny("2 full");
    architecture.encoder.width = architecture.decoder->width = 64;
    architecture.vocabulary = 500;
    const models::Parameters weights = initialWeights(architecture, false, 1);
    const auto deviation = [&](const char* name) { return weights.get(name).detach().std().item<double>(); };
    const auto edge = [&](const char* name) { return largest(weights.get(name).detach()); };
    // Xavier-uniform, gain 1/√2: ±√(6/128)/√2; output gain 1.
    const double bound = std::sqrt(6.0 / 128);
    const std::string layer = "model.encoder.layers.1.self_attn.";
    QVERIFY(edge((layer + "q_proj.weight").c_str()) <= bound / std::sqrt(2.0));
    QVERIFY(edge((layer + "q_proj.weight").c_str()) > 0.95 * bound / std::sqrt(2.0));
    QVERIFY(edge((layer + "out_proj.weight").c_str()) > 0.95 * bound);
    QCOMPARE(edge((layer + "out_proj.bias").c_str()), 0.0);
    QVERIFY(edge((layer + "k_proj.bias").c_str()) <= 1.0 / 8);
    QVERIFY(edge((layer + "k_proj.bias").c_str()) > 0.8 / 8);
    QVERIFY(edge("model.encoder.layers.0.fc2.weight") <= 1 / std::sqrt(24.0));
    QVERIFY(edge("model.encoder.conv.conv_layers.0.weight") <= 1 / std::sqrt(400.0));
    QVERIFY(std::abs(deviation("lm_head.weight") - 0.125) < 0.005);
    QVERIFY(std::abs(deviation("model.decoder.embed_tokens.weight") - 0.125) < 0.005);
    QCOMPARE(largest(weights.get("model.decoder.embed_tokens.weight").detach()[1]), 0.0);
    QCOMPARE(weights.get("model.encoder.layer_norm.weight").detach().min().item<double>(), 1.0);
    const models::Parameters other = initialWeights(architecture, false, 2);
    QVERIFY(largest(other.get("lm_head.weight").detach().sub(weights.get("lm_head.weight").detach())) > 0.01);
    QCOMPARE(initialWeights(tiny("2 full"), true, 1).get("ctc.weight").size(0), 20);
}

void LossTest::greedyDecodingOfABatchIsThatOfEach() {
    const Architecture architecture = tiny("2 local 5");
    const models::Parameters parameters = initialWeights(architecture, false, 5);
    const auto together = greedyBatch(parameters, architecture, batchOf({61, 33, 20}, {{}, {}, {}}), 12);
    QCOMPARE(together.size(), std::size_t(3));
    const std::vector<std::int64_t> frames{61, 33, 20};
    for (std::size_t i = 0; i < 3; ++i) {
        QVERIFY(!together[i].empty());
        QCOMPARE(greedyBatch(parameters, architecture, batchOf({frames[i]}, {{}}), 12).front(), together[i]);
    }
}

void LossTest::greedyTextsHaveScores() {
    for (const bool ctc : {false, true}) {
        Architecture architecture = tiny("2 local 5");
        if (ctc) {
            architecture.decoder.reset();
            architecture.ctc = 20;
        }
        const models::Parameters parameters = initialWeights(architecture, false, 5);
        const std::vector<std::int64_t> frames{61, 33, 20};
        const Batch batch = batchOf(frames, {{}, {}, {}});
        const auto texts = greedyTexts(parameters, architecture, batch, 12, true);
        const auto plain = greedyBatch(parameters, architecture, batch, 12);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            QVERIFY(!texts[i].ids.empty());
            QCOMPARE(std::vector<int>(texts[i].ids.begin(), texts[i].ids.begin() + std::ptrdiff_t(plain[i].size())), plain[i]);
            QVERIFY(texts[i].ids.size() == plain[i].size() || texts[i].ids.back() == 2);
            QCOMPARE(texts[i].tokenScores.size(), texts[i].ids.size());
            QVERIFY(std::abs(std::accumulate(texts[i].tokenScores.begin(), texts[i].tokenScores.end(), 0.0) - texts[i].score) < 1e-9);
            const auto alone = greedyTexts(parameters, architecture, batchOf({frames[i]}, {{}}), 12, true).front();
            QCOMPARE(alone.ids, texts[i].ids);
            QVERIFY(texts[i].score < 0 && std::abs(alone.score - texts[i].score) < 1e-4);
        }
    }
}

void LossTest::labelsOfFramesAreLearntTokenByToken() {
    Architecture architecture = tiny("2 full");
    architecture.decoder.reset();
    architecture.vocabulary = 0;
    architecture.ctc = 9;
    const models::Parameters parameters = initialWeights(architecture, true, 7);
    const std::vector<std::int64_t> frames{33, 20}; // tokens stand at frames 0, 4, 8, …
    std::vector<std::vector<int>> targets(2);
    for (std::size_t i = 0; i < 2; ++i)
        for (std::int64_t frame = 0; frame < frames[i]; ++frame)
            targets[i].push_back(frame % 4 == 0 ? 4 : 5);
    Batch batch = batchOf(frames, targets);
    batch.perFrame = true;
    const auto loss = [&](const Batch& one) {
        return batchLoss(parameters, architecture, {0, 0}, one, false, false).crossEntropy;
    };
    const CrossEntropy found = loss(batch);
    QCOMPARE(found.tokens, std::int64_t(9 + 5));
    for (auto& target : batch.targets) // what stands between the tokens' frames does not matter
        for (auto& label : target)
            label = label == 5 ? 6 : label;
    QCOMPARE(loss(batch).lossSum, found.lossSum);
    batch.targets[1][4] = 6;
    QVERIFY(std::abs(loss(batch).lossSum - found.lossSum) > 1e-6);
    batch.targets[1][4] = 4;
    Batch first = batchOf({33}, {batch.targets[0]}), second = batchOf({20}, {batch.targets[1]});
    first.perFrame = second.perFrame = true;
    QVERIFY(std::abs(loss(first).lossSum + loss(second).lossSum - found.lossSum) < 1e-4);
    const auto best = greedyBatch(parameters, architecture, batch, 1);
    QCOMPARE(best[0].size(), std::size_t(33)); // one label for every frame
    QCOMPARE(best[1].size(), std::size_t(20));
}

HEADROOM_TEST(LossTest)

} // namespace headroom::testing::loss_test

#include "loss_test.moc"
