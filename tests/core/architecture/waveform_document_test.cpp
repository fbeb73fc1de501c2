// SPDX-License-Identifier: GPL-3.0-or-later
// Front ends over samples, convolutional positions, the gated relative bias and adapters: text, rules,
// counts.
#include "core/architecture/architecture.h"
#include "core/architecture/costs.h"
#include "core/architecture/layer_rules.h"
#include "core/errors/error.h"
#include "tests/core/architecture/document_refusal.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::waveform_document_test {

namespace {

/// A small document; each part can be replaced.
std::string document(const std::string& frontEnd = R"("norm": "layer", "bias": true, "normalised": false)",
                     const std::string& parts = R"("positions": "convolutional",
        "positionalConvolution": { "kernel": 6, "groups": 2, "layers": 2, "weightNorm": false, "norm": "layer" },
        "relativeBias": { "buckets": 8, "maxDistance": 20 }, "inputNorm": true, "normEpsilon": 0.001, "adapters": 3,)",
                     const std::string& heads = "2 full") {
    return R"({ "format": "headroom/architecture", "version": 1, "name": "small",
      "frontEnd": { "kind": "waveform", "channels": [4, 6], "kernels": [10, 2], "strides": [5, 2], )" +
           frontEnd + R"( },
      "encoder": { "kind": "transformer", "width": 8, "feedForward": 5, "norm": "post", )" +
           parts + R"( "layers": [ { "heads": "2 full" }, { "heads": ")" + heads + R"(" } ] },
      "ctc": 7, "ctcBlank": 6, "vocabulary": 0 })";
}

} // namespace
} // namespace headroom::testing::waveform_document_test

namespace headroom::testing::waveform_document_test { // moc stumbles over the braces in the texts above

class WaveformDocumentTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatIsWrittenIsReadAgain() {
        const Architecture read = parseArchitecture(document(), "a.json");
        const std::string text = canonicalText(read);
        QVERIFY(parseArchitecture(text, "b.json") == read);
        QCOMPARE(canonicalText(parseArchitecture(text, "b.json")), text);
        QCOMPARE(read.ctcBlank, 6);
        QVERIFY(read.frontEnd.bias && !read.frontEnd.normalised && read.encoder.inputNorm);
        QCOMPARE(read.encoder.positionalConvolution->layers, 2);
        QCOMPARE(read.encoder.relativeBias->maxDistance, 20);
    }

    void theClockCountsSamples() {
        const Architecture read = parseArchitecture(document(), "a.json");
        const TokenClock clock = read.frontEnd.clock();
        QCOMPARE(clock.tokenCount(Frames(14)).value(), 0); // two outputs of the first need 15
        QCOMPARE(clock.tokenCount(Frames(15)).value(), 1);
        QVERIFY(std::abs(clock.centre(Tokens(1)).value() - (7.5 + 10) / 16000) < 1e-15);
        QCOMPARE(read.frontEnd.framesIn(Seconds(2)).value(), 32000);
    }

    void countsAreWhatIsWrittenOut() {
        const Costs costs = parameterCosts(parseArchitecture(document(), "a.json"));
        const std::int64_t frontEnd = (1 * 4 * 10 + 4 + 8) + (4 * 6 * 2 + 6 + 12) + 12 + (6 * 8 + 8);
        const std::int64_t positions = 2 * (8 * 4 * 6 + 8) + 8 * 2 + 16;
        const std::int64_t attention = 4 * (64 + 8) + (4 * 8 + 8) + 2;
        const std::int64_t layer = attention + 2 * 8 * 5 + 5 + 8 + 32 + (2 * 8 * 3 + 3 + 8 + 16);
        QCOMPARE(costs.frontEndParameters, frontEnd);
        QCOMPARE(costs.parameters, frontEnd + positions + 2 * layer + 8 * 7 + 7);
        const EncoderCosts length = encoderCosts(parseArchitecture(document(), "a.json"), 35);
        QCOMPARE(length.tokens, 3);
        const auto part = [&](const char* name) {
            for (const PartCost& one : length.macParts)
                if (one.part == name)
                    return one.count;
            return std::int64_t(0);
        };
        QCOMPARE(part("front end"), 6 * 40 + 3 * 48 + 3 * 48);
        QCOMPARE(part("positions"), 2 * 3 * 8 * 4 * 6);
        QCOMPARE(part("adapters"), 2 * 2 * 3 * 8 * 3);
    }

    void mistakesAreNamed_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const std::string& text, const char* says) {
            QTest::newRow(name) << QString::fromStdString(text) << says;
        };
        row("features", document(R"("norm": "layer", "features": 80)"), "features");
        row("batch", document(R"("norm": "batch")"), "norm");
        row("glu", document(R"("norm": "layer", "activation": "glu")"), "GLU is only for conv1d");
        row("without kernel", document(R"("norm": "layer")", R"("positions": "convolutional",)"),
            "positionalConvolution");
        row("kernel without",
            document(R"("norm": "layer")", R"("positionalConvolution": { "kernel": 3, "groups": 1 },)"),
            "this belongs to the positions “convolutional”");
        row("groups", document(R"("norm": "layer")", R"("positions": "convolutional",
            "positionalConvolution": { "kernel": 3, "groups": 3 },)"),
            "3 groups do not divide the width 8");
        row("buckets",
            document(R"("norm": "layer")", R"("relativeBias": { "buckets": 6, "maxDistance": 20 },)"),
            "multiple of 4");
        row("heads",
            document(R"("norm": "layer")", R"("relativeBias": { "buckets": 8, "maxDistance": 20 },)",
                     "4 full"),
            "layer 1 has 2 heads, this one 4");
        row("conv heads",
            document(R"("norm": "layer")", R"("relativeBias": { "buckets": 8, "maxDistance": 20 },)",
                     "2 conv 3/2"),
            "keys that are tokens");
    }
    void mistakesAreNamed() {
        QFETCH(QString, text);
        QFETCH(QString, says);
        const QString said = QString::fromStdString(documentRefusal(text.toStdString()));
        QVERIFY2(said.contains(says), qPrintable(said));
    }
};

HEADROOM_TEST(WaveformDocumentTest)

} // namespace headroom::testing::waveform_document_test

#include "waveform_document_test.moc"
