// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/architecture/costs.h"
#include "core/architecture/layer_rules.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::conformer_documents_test {

namespace {

const std::string kBert = R"({ "format": "headroom/architecture", "version": 1,
  "name": "tiny bert", "source": "test",
  "frontEnd": { "kind": "linear", "input": "stacked-kaldi-log-mel", "features": 120, "stacked": 3, "paddingValue": 0 },
  "encoder":  { "kind": "conformer", "width": 8, "feedForward": 16, "norm": "pre", "positions": "relative-key",
                "activation": "swish", "queryKeyValueBias": true, "dropout": 0.1, "attentionDropout": 0.1,
                "convolution": { "kernel": 7, "norm": "layer", "bias": false, "causal": true, "activation": "gelu" },
                "relativeKey": { "left": 5, "right": 3 }, "normEpsilon": 0.001,
                "layers": [ { "heads": "2 full" },
                            { "heads": "2 local 5" } ] },
  "intermediateFeedForward": true,
  "lengthAdapter": { "layers": 2, "kernel": 3, "stride": 2, "width": 6, "heads": 2, "feedForward": 10, "activation": "gelu" },
  "decoder":  null,
  "ctc": 11, "ctcBlank": 10, "vocabulary": 0 }
)";

const std::string kParakeet = R"({ "format": "headroom/architecture", "version": 1,
  "name": "tiny parakeet", "source": "test",
  "frontEnd": { "kind": "depthwise2d", "input": "nemo-log-mel", "features": 32, "channels": 4, "kernels": [3, 3], "strides": [2, 2], "scaled": false, "preEmphasis": 0.9 },
  "encoder":  { "kind": "conformer", "width": 8, "feedForward": 16, "norm": "pre", "positions": "relative",
                "activation": "swish", "queryKeyValueBias": false, "dropout": 0.1, "attentionDropout": 0.1,
                "convolution": { "kernel": 5, "norm": "batch", "bias": false, "depthwiseBias": true },
                "outputBias": false, "feedForwardBias": false,
                "layers": [ { "heads": "2 full" } ] },
  "decoder":  null,
  "ctc": 11, "ctcBlank": 10, "vocabulary": 0 }
)";

const std::string kBranchformer = R"({ "format": "headroom/architecture", "version": 1,
  "name": "tiny e-branchformer", "source": "test",
  "frontEnd": { "kind": "conv2d", "input": "espnet-log-mel", "features": 20, "channels": [8, 8], "kernels": [3, 3], "strides": [2, 2], "scaled": true, "padded": false, "window": 512, "hop": 128, "normalised": false },
  "encoder":  { "kind": "branchformer", "width": 8, "feedForward": 16, "norm": "pre", "positions": "relative",
                "activation": "swish", "queryKeyValueBias": true, "dropout": 0.1, "attentionDropout": 0.1,
                "branch": { "units": 12, "kernel": 7, "mergeKernel": 5 },
                "outputNorm": true, "normEpsilon": 1e-12,
                "layers": [ { "heads": "2 full" } ] },
  "decoder":  null,
  "ctc": 11, "vocabulary": 0 }
)";

std::string replaced(std::string text, const std::string& from, const std::string& to) {
    const auto place = text.find(from);
    if (place == std::string::npos)
        throw std::runtime_error("no " + from);
    return text.replace(place, from.size(), to);
}

std::string mistakeIn(const std::string& text) {
    try {
        parseArchitecture(text, "x.json");
    } catch (const Error& error) {
        return error.what();
    }
    return "";
}

} // namespace

class ConformerDocumentsTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void canonicalTextComesBack() {
        const std::string plain = replaced(replaced(kBranchformer, ", \"mergeKernel\": 5", ""), "\"feedForward\": 16", "\"feedForward\": 0");
        for (const std::string& text : {kBert, kParakeet, kBranchformer, plain})
            QCOMPARE(QString::fromStdString(canonicalText(parseArchitecture(text, "x.json"))),
                     QString::fromStdString(text));
    }

    void clocksFollowTheFeatures() {
        const Architecture bert = parseArchitecture(kBert, "x.json");
        QCOMPARE(bert.frontEnd.input().features, 120);
        QCOMPARE(bert.frontEnd.clock().step(), Seconds(0.03));
        QVERIFY(std::abs(bert.frontEnd.clock().offset().value() - 0.0225) < 1e-12); // 720 samples
        QVERIFY(std::abs(bert.outputClock().step().value() - 0.12) < 1e-12);
        QCOMPARE(bert.outputWidth(), 6);
        const Architecture parakeet = parseArchitecture(kParakeet, "x.json");
        QCOMPARE(parakeet.frontEnd.clock().offset(), Seconds(0));
        QCOMPARE(parakeet.frontEnd.clock().step(), Seconds(0.04));
        QCOMPARE(parakeet.outputClock().step(), Seconds(0.04));
        QCOMPARE(parakeet.frontEnd.planes, (std::vector<int>{4, 4}));
        // Frame f is centred on sample 128 f, and token t on frame 4 t + 3: no convolution is padded.
        const TokenClock branchformer = parseArchitecture(kBranchformer, "x.json").frontEnd.clock();
        QVERIFY(std::abs(branchformer.offset().value() * 16000 - 3 * 128) < 1e-8);
        QVERIFY(std::abs(branchformer.step().value() * 16000 - 4 * 128) < 1e-8);
        QCOMPARE(branchformer.tokenCount(Frames(121)), Tokens(29));
    }

    void parametersAreCounted() {
        const std::int64_t d = 8, f = 16;
        const Costs bert = parameterCosts(parseArchitecture(kBert, "x.json"));
        const std::int64_t frontEnd = 2 * 120 + 120 * d + d;
        const std::int64_t attention = 4 * (d * d + d) + (5 + 3 + 1) * (d / 2);
        const std::int64_t feedForward = 2 * d * f + f + d;
        const std::int64_t convolution = 2 * d * d + 7 * d + 2 * d + d * d;
        const std::int64_t layer = attention + 2 * feedForward + convolution + 10 * d;
        const std::int64_t a = 6, inner = 10;
        const std::int64_t adapter =
            d * a + a + 2 * a +
            2 * (6 * a + 2 * (2 * a * a * 3 + 2 * a) + 4 * (a * a + a) + 2 * a * inner + inner + a);
        QCOMPARE(bert.encoderParameters, frontEnd + 2 * layer);
        QCOMPARE(bert.parameters, frontEnd + 2 * layer + feedForward + adapter + a * 11 + 11);

        const Costs parakeet = parameterCosts(parseArchitecture(kParakeet, "x.json"));
        const std::int64_t planes = 4 * 9 + 4 + (4 * 9 + 4) + (16 + 4) + (4 * 8 * d + d);
        QCOMPARE(parakeet.frontEndParameters, planes);
        QCOMPARE(parakeet.encoderParameters, planes + 4 * d * d + d * d + 2 * d + 2 * 2 * d * f + 2 * d * d +
                                                 d * d + 5 * d + d + 2 * d + 10 * d);
        QVERIFY(encoderCosts(parseArchitecture(kParakeet, "x.json"), 100).tokens == 25);
        const Costs branchformer = parameterCosts(parseArchitecture(kBranchformer, "x.json"));
        const std::int64_t gated = d * 12 + 12 + 12 + 6 * 7 + 6 + 6 * d + d, merge = 2 * d * 5 + 2 * d + 2 * d * d + d;
        QCOMPARE(branchformer.encoderParameters, (8 * 9 + 8) + (8 * 8 * 9 + 8) + (8 * 4 * d + d) + 4 * (d * d + d) +
                                                     d * d + 2 * d + 2 * (2 * d * f + f + d) + gated + merge + 5 * 2 * d +
                                                     2 * d);
        QVERIFY(encoderCosts(parseArchitecture(kBert, "x.json"), 100).tokens == 100);
    }

    void keysInTheWrongPlaceAreNamed() {
        const auto named = [](const std::string& text, const char* key) {
            return QString::fromStdString(mistakeIn(text)).contains(QString::fromUtf8(key));
        };
        QVERIFY(named(replaced(kBert, "\"features\": 120", "\"features\": 121"), "frontEnd.features"));
        QVERIFY(named(replaced(kBert, "\"stacked\": 3", "\"preEmphasis\": 0.5"), "frontEnd.preEmphasis"));
        QVERIFY(named(replaced(kBert, "\"features\"", "\"kernels\": [3], \"features\""), "frontEnd.kernels"));
        QVERIFY(named(replaced(kBert, "\"relative-key\"", "\"none\""), "encoder.relativeKey"));
        QVERIFY(
            named(replaced(kBert, "\"relativeKey\": { \"left\": 5, \"right\": 3 }, ", ""), "relativeKey"));
        QVERIFY(named(replaced(kBert, "\"heads\": 2", "\"heads\": 4"), "lengthAdapter.heads"));
        QVERIFY(named(replaced(kBert, "\"stride\": 2", "\"stride\": 4"), "lengthAdapter.stride"));
        QVERIFY(named(replaced(kBert, "2 local 5", "2 local 6 block"), "block heads"));
        QVERIFY(named(replaced(kBert, "2 local 5", "2 conv 5/2"), "relative-key positions"));
        QVERIFY(named(replaced(kParakeet, "\"channels\": 4", "\"channels\": [4, 4]"), "frontEnd.channels"));
        QVERIFY(named(replaced(kParakeet, "\"scaled\": false", "\"norm\": \"batch\""), "frontEnd.norm"));
        QVERIFY(named(replaced(kParakeet, "\"scaled\": false", "\"padded\": false"), "frontEnd.padded"));
        QVERIFY(named(replaced(kParakeet, "\"nemo-log-mel\"", "\"waveform\""), "frontEnd.input"));
        QVERIFY(named(replaced(kParakeet, "\"preEmphasis\"", "\"hop\""), "frontEnd.hop"));
        QVERIFY(named(replaced(kParakeet, "\"outputBias\"", "\"branch\": {}, \"outputBias\""), "encoder.branch"));
        QVERIFY(named(replaced(kParakeet, "\"feedForward\": 16", "\"feedForward\": 0"), "encoder.feedForward"));
        QVERIFY(named(replaced(kBranchformer, "\"units\": 12", "\"units\": 13"), "encoder.branch.units"));
        QVERIFY(named(replaced(kBranchformer, "\"mergeKernel\": 5", "\"mergeKernel\": 4"), "encoder.branch.mergeKernel"));
        QVERIFY(named(replaced(kBranchformer, "\"window\": 512", "\"window\": 513"), "frontEnd.transform"));
        QVERIFY(named(replaced(kBranchformer, "\"norm\": \"pre\"", "\"norm\": \"post\""), "encoder.norm"));
        QVERIFY(named(replaced(kBranchformer, "\"branchformer\"", "\"transformer\""), "encoder.branch"));
    }
};

HEADROOM_TEST(ConformerDocumentsTest)

} // namespace headroom::testing::conformer_documents_test

#include "conformer_documents_test.moc"
