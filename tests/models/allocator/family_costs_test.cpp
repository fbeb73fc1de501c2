// SPDX-License-Identifier: GPL-3.0-or-later
// The formulae of core/architecture against the networks of other families: front ends, positions and
// adapters that the S2T Transformer lacks. Products counted call by call, bytes at the allocator.
#include "core/architecture/costs.h"
#include "tests/models/allocator/made_network.h"
#include "tests/models/allocator/run_counters.h"
#include "tests/support/runner.h"

#include <c10/core/GradMode.h>

#include <cmath>
#include <map>
#include <QtTest>

namespace headroom::testing::family_costs_test {

using headroom::testing::CountingAllocator;
using headroom::testing::ProductCounter;

#ifndef Q_MOC_RUN // whose lexer loses its way in raw strings with quotation marks
namespace {

const std::string kConvolutions = R"("kernels": [10, 3, 3, 3, 3, 2, 2], "strides": [5, 2, 2, 2, 2, 2, 2])";
const std::string kWaveform =
    R"("kind": "waveform", "channels": [24, 24, 24, 24, 24, 24, 24], )" + kConvolutions;
const std::string kPositional = R"("positions": "convolutional", "positionalConvolution": )";

/// A document of two layers, 64 wide, with what the family has of its own.
struct FamilyRow {
    std::string frontEnd, encoder;
    std::vector<std::int64_t> frames; ///< samples of a waveform
    std::string layer = "4 full";
};

const std::map<std::string, FamilyRow>& familyRows() {
    static const std::map<std::string, FamilyRow> kRows{
        {"wav2vec 2.0 base",
         {kWaveform + R"(, "norm": "group")",
          R"("kind": "transformer", "norm": "post", "inputNorm": true, )" + kPositional +
              R"({ "kernel": 16, "groups": 4 })",
          {400, 1111, 32'000, 64'000}}},
        {"wav2vec 2.0 large, adapters",
         {kWaveform + R"(, "norm": "layer", "bias": true)",
          R"("kind": "transformer", "norm": "pre", "adapters": 12, )" + kPositional +
              R"({ "kernel": 15, "groups": 16 })",
          {400, 720, 32'000, 64'000}}},
        {"HuBERT with BatchNorm",
         {kWaveform + R"(, "norm": "layer", "projectionNorm": false)",
          R"("kind": "transformer", "norm": "pre", )" + kPositional +
              R"({ "kernel": 16, "groups": 4, "weightNorm": false, "norm": "batch" })",
          {400, 32'000, 64'000}}},
        {"WavLM",
         {kWaveform + R"(, "norm": "group")",
          R"("kind": "transformer", "norm": "post", "inputNorm": true, "relativeBias": { "buckets": 32, "maxDistance": 80 }, )" +
              kPositional + R"({ "kernel": 16, "groups": 4 })",
          {400, 1111, 32'000, 64'000}}},
        {"data2vec-audio",
         {kWaveform + R"(, "norm": "layer")",
          R"("kind": "transformer", "norm": "post", "inputNorm": true, )" + kPositional +
              R"({ "kernel": 19, "groups": 16, "layers": 5, "weightNorm": false, "norm": "layer" })",
          {400, 32'000, 64'000}}},
        {"Whisper",
         {R"("kind": "conv1d", "input": "whisper-log-mel", "features": 80, "channels": 64, "kernels": [3, 3], "strides": [1, 2], "activation": "gelu", "scaled": false)",
          R"("kind": "transformer", "norm": "pre", "positions": "stored", "keyBias": false)",
          {3000}}},
        {"AST",
         {R"("kind": "patches", "input": "ast-log-mel", "features": 32, "windowFrames": 200, "kernels": [16], "strides": [10], "frequencyStride": 10, "classTokens": 2)",
          R"("kind": "transformer", "norm": "pre", "positions": "learnt")",
          {200}}},
        {"Parakeet",
         {R"("kind": "depthwise2d", "input": "nemo-log-mel", "features": 80, "channels": 24, "kernels": [3, 3, 3], "strides": [2, 2, 2])",
          R"("kind": "conformer", "norm": "pre", "positions": "relative", "convolution": { "kernel": 9, "norm": "batch", "depthwiseBias": true })",
          {9, 100, 1201, 3002}}},
        {"wav2vec2-BERT",
         {R"("kind": "linear", "input": "stacked-kaldi-log-mel", "features": 160)",
          R"("kind": "conformer", "norm": "pre", "positions": "relative-key", "relativeKey": { "left": 12, "right": 4 }, "convolution": { "kernel": 15, "norm": "layer", "bias": false, "causal": true })",
          {1, 9, 100, 300}}},
    };
    return kRows;
}

Architecture architectureOf(const FamilyRow& row, double dropout) {
    const std::string drop = std::to_string(dropout), layer = R"({ "heads": ")" + row.layer + R"(" })";
    return parseArchitecture(
        R"({ "format": "headroom/architecture", "version": 1, "name": "made", "frontEnd": { )" +
            row.frontEnd +
            R"( }, "encoder": { "width": 64, "feedForward": 128, "activation": "gelu", "queryKeyValueBias": true, )" +
            R"("dropout": )" + drop + R"(, "attentionDropout": )" + drop + ", " + row.encoder +
            R"(, "layers": [ )" + layer + ", " + layer +
            R"( ] }, "decoder": null, "ctc": null, "vocabulary": 0 })",
        "made");
}

/// What the kernels multiply beside what is counted: all offsets of relative positions, one place more of an even positional kernel,
/// and the places behind the end that a causal convolution computes and leaves out.
std::int64_t moreThanSeen(const Architecture& architecture, std::int64_t tokens) {
    const auto& encoder = architecture.encoder;
    const auto layers = static_cast<std::int64_t>(encoder.layers.size());
    const std::int64_t width = encoder.width;
    std::int64_t more = 0;
    if (encoder.positions == Positions::Relative)
        more += layers * width * (tokens * (2 * tokens - 1) - tokens * tokens);
    if (const auto& convolution = encoder.positionalConvolution; convolution && convolution->kernel % 2 == 0)
        more += convolution->layers * width * width / convolution->groups * convolution->kernel;
    if (const auto& convolution = encoder.convolution; convolution && convolution->causal)
        more += layers * width * convolution->kernel * (convolution->kernel - 1);
    return more;
}

} // namespace
#endif

class FamilyCostsTest : public QObject {
    Q_OBJECT

    static void families() {
        QTest::addColumn<QString>("family");
        for (const auto& [name, row] : familyRows())
            QTest::newRow(name.c_str()) << QString::fromStdString(name);
    }
    static const FamilyRow& row() {
        QFETCH(QString, family);
        return familyRows().at(family.toStdString());
    }

private Q_SLOTS:
    void initTestCase() { CountingAllocator::instance(); }

    void productsAreThoseThatAreCounted_data() { families(); }
    void productsAreThoseThatAreCounted() {
        const Architecture architecture = architectureOf(row(), 0.1);
        const auto weights = madeParameters(architecture);
        QCOMPARE(weights.elementCount(), parameterCosts(architecture).parameters);
        const c10::NoGradGuard noGradients;
        for (const std::int64_t frames : row().frames) {
            const auto expected = encoderCosts(architecture, frames);
            const ProductCounter counter;
            const at::Tensor output = encodedNoise(architecture, weights, frames);
            QCOMPARE(output.size(1), expected.tokens);
            QCOMPARE(counter.count() - moreThanSeen(architecture, expected.tokens), expected.macs);
        }
    }

    void memoryOfATrainingStepIsWithinFifteenPercent_data() { families(); }
    void memoryOfATrainingStepIsWithinFifteenPercent() {
        for (const double dropout : {0.0, 0.1}) {
            const Architecture architecture = architectureOf(row(), dropout);
            const auto weights = madeParameters(architecture);
            const std::int64_t frames = row().frames.back(); // sizes of a recording, not of a click
            const auto expected = encoderCosts(architecture, frames);
            const auto before = CountingAllocator::instance().live();
            const at::Tensor output = encodedNoise(architecture, weights, frames, {dropout, dropout, true});
            const auto kept = CountingAllocator::instance().live() - before;
            const double ratio = double(expected.activationBytes) / double(kept);
            QVERIFY2(std::abs(ratio - 1) < 0.15,
                     qPrintable(QStringLiteral(
                                    "dropout %1, %2 tokens: %3 bytes are kept, %4 were expected, ratio %5")
                                    .arg(dropout)
                                    .arg(expected.tokens)
                                    .arg(kept)
                                    .arg(expected.activationBytes)
                                    .arg(ratio)));
        }
    }
};

HEADROOM_TEST(FamilyCostsTest)

} // namespace headroom::testing::family_costs_test

#include "family_costs_test.moc"
