// SPDX-License-Identifier: GPL-3.0-or-later
// The formulae of core/architecture against what the networks really do: products counted call by call, bytes
// counted at the allocator.
#include "core/architecture/costs.h"
#include "models/kernels/banded.h"
#include "models/networks/language_model.h"
#include "tests/models/allocator/made_network.h"
#include "tests/models/allocator/run_counters.h"
#include "tests/support/runner.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/ones.h>
#include <c10/core/GradMode.h>

#include <cmath>
#include <filesystem>
#include <QtTest>

namespace headroom::testing::network_costs_test {

using namespace headroom::models;
using headroom::testing::CountingAllocator;
using headroom::testing::ProductCounter;

namespace {

Architecture transformer(const std::vector<const char*>& layers, const char* positions = "sinusoidal") {
    Architecture result;
    result.name = "made";
    result.frontEnd.features = 40;
    result.frontEnd.channels = 64;
    result.encoder.width = 64;
    result.encoder.feedForward = 128;
    result.encoder.positions = choiceOf<Positions>(positions);
    if (result.encoder.positions == Positions::RelativeKey)
        result.encoder.relativeKey = {12, 4};
    for (const char* heads : layers)
        result.encoder.layers.push_back({parseHeads(heads)});
    return result;
}

/// A conformer with those layers, relative positions where it has them.
void makeConformer(Architecture& architecture, ConvolutionNorm norm) {
    architecture.encoder.kind = EncoderKind::Conformer;
    architecture.encoder.activation = Activation::Swish;
    architecture.encoder.convolution = Architecture::Convolution{15, norm, norm == ConvolutionNorm::Batch};
}

/// A Branchformer with those layers; merged: an E-Branchformer.
void makeBranchformer(Architecture& architecture, bool merged) {
    architecture.encoder.kind = EncoderKind::Branchformer;
    architecture.encoder.activation = Activation::Swish;
    architecture.encoder.branch = Architecture::GatedBranch{192, 15, merged ? 7 : 0};
    architecture.encoder.outputNorm = merged;
    if (!merged)
        architecture.encoder.feedForward = 0;
}

/// The keys of a group that only its kernel knows: how far its band reaches; −1: it runs as a whole map.
std::int64_t reachOfBand(const HeadGroup& group, std::int64_t tokens) {
    if (group.kind == HeadKind::LocalBlock)
        return group.window / 3 < tokens ? 2 * (group.window / 3) - 1 : -1;
    const auto reach = bandReach(group.window, tokens);
    return group.kind == HeadKind::Local && reach < tokens - 1 ? reach : -1;
}

/// What the banded kernel multiplies, read off the kernel itself: slots that hold a score, and values that
/// arrive where every weight and value is 1.
struct BandPairs {
    std::int64_t scored, mixed;
};
BandPairs bandPairs(std::int64_t reach, std::int64_t tokens) {
    const at::Tensor ones = at::ones({1, 1, tokens, 1});
    const at::Tensor weights = at::ones({1, 1, tokens, 2 * reach + 1});
    return {bandedScores(ones, ones, reach).isfinite().sum().item<std::int64_t>(),
            std::llround(bandedMix(weights, ones, reach).sum().item<double>())};
}

/// Pairs that may be seen, by the definition of each kind.
std::int64_t visiblePairs(const HeadGroup& group, std::int64_t tokens) {
    std::int64_t pairs = 0;
    for (std::int64_t i = 0; i < tokens; ++i)
        for (std::int64_t j = 0; j < tokens; ++j)
            switch (group.kind) {
            case HeadKind::Local:
                pairs += std::abs(i - j) <= group.window / 2;
                break;
            case HeadKind::LocalBlock:
                pairs += std::abs(i / (group.window / 3) - j / (group.window / 3)) <= 1;
                break;
            case HeadKind::Masked:
                pairs += j <= i;
                break;
            default:
                ++pairs;
            }
    return pairs;
}

/// What runs beside the products that ATen sees, less what is multiplied and hidden: README.md of
/// core/architecture says where kernels multiply more than a query may see.
std::int64_t unseenMacs(const Architecture& architecture, std::int64_t tokens) {
    std::int64_t macs = 0;
    const auto& layers = architecture.encoder.layers;
    for (const auto& layer : layers) {
        const bool reuses = layer.heads.front().kind == HeadKind::Reuse;
        const auto& origin =
            reuses ? layers[static_cast<std::size_t>(layer.heads.front().reusedLayer) - 1] : layer;
        const std::int64_t channels = architecture.encoder.width / layer.headCount();
        for (const auto& group : origin.heads) {
            if (group.kind == HeadKind::Conv)
                continue;
            const auto reach = reachOfBand(group, tokens);
            const auto visible = visiblePairs(group, tokens), whole = tokens * tokens;
            const BandPairs band = reach < 0 ? BandPairs{0, 0} : bandPairs(reach, tokens);
            const BandPairs hidden = reach < 0 ? BandPairs{whole - visible, whole - visible}
                                               : BandPairs{band.scored - visible, band.mixed - visible};
            if (reuses)
                macs += group.count * 2 * channels * (band.mixed - hidden.mixed);
            else
                macs += group.count * channels * (band.scored + band.mixed - hidden.scored - hidden.mixed);
            if (!reuses && architecture.encoder.positions == Positions::Relative)
                macs -= group.count * channels *
                        (tokens * (reach < 0 ? 2 * tokens - 1 : 2 * reach + 1) - visible);
            if (!reuses && architecture.encoder.relativeKey && reach >= 0)
                macs -= group.count * channels * (tokens * (2 * reach + 1) - visible);
        }
    }
    return macs;
}

} // namespace

class CostsAgainstNetworksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void productsAreThoseThatAreCounted_data() {
        QTest::addColumn<QStringList>("layers");
        QTest::addColumn<QString>("positions");
        const auto row = [](const char* name, const QStringList& layers,
                            const char* positions = "sinusoidal") {
            QTest::newRow(name) << layers << QString(positions);
        };
        row("full", {"4 full", "4 full"});
        row("masked", {"4 masked"});
        row("local", {"4 local 17", "3 full + 1 local 5"});
        row("window wider than the recording", {"4 local 999"});
        row("block", {"4 local 64 block", "2 local 9 block + 2 full"});
        row("conv", {"4 conv 5/2", "2 full + 2 conv 8/4"});
        row("separable conv", {"2 conv 5/2 separable + 2 local 9"});
        row("normal conv", {"2 conv 5/2 normal + 2 full"});
        row("speechformer", {"4 conv 8/4 speechformer"});
        row("speechformer beside others", {"2 conv 8/4 speechformer + 2 full"});
        row("Multiformer", {"1 local 64 block + 3 conv 5/2", "2 local 64 block + 2 conv 5/2"});
        row("reuse",
            {"4 full", "4 reuse 1", "2 local 17 + 2 full", "4 reuse 3", "4 local 9 block", "4 reuse 5"});
        row("modifiers", {"4 full relaxed 0.1 matched", "4 full smoothed", "4 local 17 suppressed 0.5"});
        row("relative", {"4 full suppressed 0.5", "4 reuse 1", "2 local 17 + 2 masked"}, "relative");
        row("relative keys", {"4 full", "4 local 17", "2 local 9 + 2 full"}, "relative-key");
        row("rotary", {"4 full", "4 local 17"}, "rotary");
        row("no positions", {"4 full"}, "none");
        row("post-norm", {"4 full", "4 local 9"}, "sinusoidal post gelu");
        row("conformer", {"4 full suppressed 0.5", "4 reuse 1", "4 local 17"}, "relative conformer batch");
        row("conformer with LayerNorm", {"4 full", "2 conv 5/2 + 2 full"}, "sinusoidal conformer layer");
        row("branchformer", {"4 full", "4 local 17"}, "relative branchformer");
        row("E-Branchformer", {"4 full", "4 local 17"}, "relative branchformer merged");
    }

    void productsAreThoseThatAreCounted() {
        QFETCH(QStringList, layers);
        QFETCH(QString, positions);
        auto architecture = transformer({}, positions.section(' ', 0, 0).toLatin1().constData());
        if (positions.contains("conformer"))
            makeConformer(architecture, positions.contains("layer") ? ConvolutionNorm::Layer
                                                                    : ConvolutionNorm::Batch);
        if (positions.contains("branchformer"))
            makeBranchformer(architecture, positions.contains("merged"));
        if (positions.contains("post"))
            architecture.encoder.norm = NormPlace::Post;
        if (positions.contains("gelu"))
            architecture.encoder.activation = Activation::Gelu;
        for (const auto& heads : layers)
            architecture.encoder.layers.push_back({parseHeads(heads.toStdString())});
        const Parameters weights = madeParameters(architecture);
        const c10::NoGradGuard noGradients;
        for (const std::int64_t frames : {1, 4, 23, 165, 402}) {
            const auto expected = encoderCosts(architecture, frames);
            const ProductCounter counter;
            encodedNoise(architecture, weights, frames);
            QCOMPARE(counter.count() + unseenMacs(architecture, expected.tokens), expected.macs);
        }
    }

    void frontEndsAreCounted() {
        auto flat = transformer({"4 full"});
        flat.frontEnd.activation = FrontEndActivation::Relu;
        flat.frontEnd.norm = FrontEndNorm::Batch;
        auto projected = transformer({"4 full"});
        projected.frontEnd.projection = true;
        auto planes = transformer({"4 full"});
        planes.frontEnd.kind = FrontEndKind::Conv2d;
        planes.frontEnd.scaled = false;
        planes.frontEnd.activation = FrontEndActivation::Relu;
        planes.frontEnd.norm = FrontEndNorm::Batch;
        planes.frontEnd.planes = {8, 12};
        planes.frontEnd.kernels = {3, 3};
        planes.frontEnd.strides = {1, 2};
        const c10::NoGradGuard noGradients;
        auto unpadded = planes;
        unpadded.frontEnd.padded = false;
        unpadded.frontEnd.scaled = true;
        for (const auto& architecture : {flat, projected, planes, unpadded})
            for (const std::int64_t frames : {architecture.frontEnd.padded ? 1 : 7, 98, 333}) {
                const Parameters weights = madeParameters(architecture);
                QCOMPARE(weights.elementCount(), parameterCosts(architecture).encoderParameters);
                const ProductCounter counter;
                encodedNoise(architecture, weights, frames);
                QCOMPARE(counter.count(), encoderCosts(architecture, frames).macs);
            }
    }

    void languageModelsAreCounted() {
        const c10::NoGradGuard noGradients;
        for (const char* kind : {"transformer", "lstm"})
            for (const bool tied : {false, true}) {
                Architecture architecture;
                architecture.vocabulary = 50;
                architecture.languageModel.emplace();
                architecture.languageModel->kind = choiceOf<LanguageModelKind>(kind);
                architecture.languageModel->layers = 3;
                architecture.languageModel->width = 32;
                architecture.languageModel->feedForward = 64;
                architecture.languageModel->tiedEmbeddings = tied;
                architecture.languageModel->selfAttention = parseHeads("4 masked");
                const Parameters parameters = madeParameters(architecture);
                QCOMPARE(parameters.elementCount(), parameterCosts(architecture).parameters);
                for (const int tokens : {1, 7, 30}) {
                    const ProductCounter counter;
                    LanguageModel(parameters, architecture)
                        .feed(std::vector<int>(static_cast<std::size_t>(tokens), 5));
                    // Whole rows of masked heads are multiplied.
                    const std::int64_t hidden =
                        std::string_view(kind) == "lstm" ? 0 : 3 * 32 * tokens * (tokens - 1);
                    QCOMPARE(counter.count() - hidden, encoderCosts(architecture, tokens).macs);
                }
            }
    }

    void everyPresetHasTheTensorsThatAreCounted() {
        int presets = 0;
        for (const auto& entry :
             std::filesystem::directory_iterator(HEADROOM_SOURCE_DIR "/resources/architectures")) {
            if (entry.path().extension() != ".json")
                continue;
            const auto architecture = readArchitecture(entry.path());
            std::int64_t count = 0;
            for (const auto& tensor : expectedTensors(architecture, false)) {
                std::int64_t numbers = tensor.buffer ? 0 : 1;
                for (const auto size : tensor.shape)
                    numbers *= size;
                count += numbers;
            }
            QVERIFY2(count == parameterCosts(architecture).parameters, entry.path().c_str());
            ++presets;
        }
        QVERIFY(presets >= 38);
    }

    void memoryOfATrainingStepIsWithinFifteenPercent_data() {
        QTest::addColumn<QStringList>("layers");
        QTest::addColumn<QString>("positions");
        QTest::addColumn<double>("dropout");
        const auto row = [](const char* name, const QStringList& layers,
                            const char* positions = "sinusoidal") {
            for (const double dropout : {0.0, 0.1})
                QTest::addRow("%s, dropout %g", name, dropout) << layers << QString(positions) << dropout;
        };
        row("full", {"4 full", "4 full"});
        row("local", {"4 local 17", "4 local 63"});
        row("block", {"4 local 64 block", "4 local 64 block"});
        row("conv", {"4 conv 5/2", "4 conv 8/4"});
        row("conv beside others", {"2 conv 5/2 + 2 full", "3 conv 5/2 separable + 1 local 9"});
        row("normal conv", {"4 conv 5/2 normal", "4 conv 5/2 normal"});
        row("speechformer", {"4 conv 8/4 speechformer", "4 conv 8/4 speechformer"});
        row("Multiformer", {"1 local 64 block + 3 conv 5/2", "2 local 64 block + 2 conv 5/2"});
        row("relaxed", {"4 full relaxed 0.1", "4 local 17 relaxed 0.1"});
        row("smoothed", {"4 full smoothed", "4 full smoothed"});
        row("suppressed", {"4 full suppressed 0.5", "4 full suppressed 0.5"});
        row("reuse", {"4 full", "4 reuse 1", "4 reuse 1"});
        row("relative", {"4 full", "4 full"}, "relative");
        row("relative local", {"4 local 17", "4 local 17"}, "relative");
        row("relative keys", {"4 full", "4 full"}, "relative-key");
        row("relative keys, local", {"4 local 17", "2 local 63 + 2 full"}, "relative-key");
        row("rotary", {"4 full", "4 full"}, "rotary");
        row("post-norm", {"4 full", "4 full"}, "sinusoidal post");
        row("GELU", {"4 full", "4 full"}, "sinusoidal gelu");
        row("conformer", {"4 full suppressed 0.5", "4 reuse 1"}, "relative conformer batch");
        row("conformer with LayerNorm", {"4 full", "4 full"}, "sinusoidal conformer layer");
        row("branchformer", {"4 full", "4 full"}, "sinusoidal branchformer");
        row("E-Branchformer", {"4 full", "4 full"}, "sinusoidal branchformer merged");
    }

    void memoryOfATrainingStepIsWithinFifteenPercent() {
        QFETCH(QStringList, layers);
        QFETCH(QString, positions);
        QFETCH(double, dropout);
        auto architecture = transformer({}, positions.section(' ', 0, 0).toLatin1().constData());
        if (positions.contains("conformer"))
            makeConformer(architecture, positions.contains("layer") ? ConvolutionNorm::Layer
                                                                    : ConvolutionNorm::Batch);
        if (positions.contains("branchformer"))
            makeBranchformer(architecture, positions.contains("merged"));
        if (positions.contains("post"))
            architecture.encoder.norm = NormPlace::Post;
        if (positions.contains("gelu"))
            architecture.encoder.activation = Activation::Gelu;
        for (const auto& heads : layers)
            architecture.encoder.layers.push_back({parseHeads(heads.toStdString())});
        architecture.encoder.dropout = architecture.encoder.attentionDropout = dropout;
        const Parameters weights = madeParameters(architecture);
        for (const std::int64_t frames : {402, 1202}) {
            const auto expected = encoderCosts(architecture, frames);
            const auto before = CountingAllocator::instance().live();
            const at::Tensor output = encodedNoise(architecture, weights, frames, {dropout, dropout, true});
            const auto kept = CountingAllocator::instance().live() - before;
            const double ratio = double(expected.activationBytes) / double(kept);
            QVERIFY2(std::abs(ratio - 1) < 0.15,
                     qPrintable(QStringLiteral("%1 tokens: %2 bytes are kept, %3 were expected, ratio %4")
                                    .arg(expected.tokens)
                                    .arg(kept)
                                    .arg(expected.activationBytes)
                                    .arg(ratio)));
        }
    }

    void initTestCase() { CountingAllocator::instance(); }
};

HEADROOM_TEST(CostsAgainstNetworksTest)

} // namespace headroom::testing::network_costs_test

#include "network_costs_test.moc"
