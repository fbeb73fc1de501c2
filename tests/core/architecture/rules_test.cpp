// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/head_grid.h"
#include "tests/support/runner.h"

#include <QtTest>

namespace headroom::testing::rules_test {

namespace {

/// One document of each kind, canonical.
const char* const kConformer = R"({ "format": "headroom/architecture", "version": 1,
  "name": "c", "source": "s",
  "frontEnd": { "kind": "conv2d", "features": 80, "channels": [32, 64], "kernels": [3, 3], "strides": [2, 2], "norm": "batch" },
  "encoder":  { "kind": "conformer", "width": 64, "feedForward": 128, "norm": "pre", "positions": "relative",
                "activation": "swish", "queryKeyValueBias": true, "dropout": 0.1, "attentionDropout": 0.1,
                "convolution": { "kernel": 31, "norm": "batch" },
                "layers": [ { "heads": "4 full suppressed 0.5" },
                            { "heads": "4 reuse 1" },
                            { "heads": "3 full + 1 local 17" },
                            { "heads": "4 full" } ] },
  "decoder":  null,
  "ctc": 128, "vocabulary": 0, "parameters": 12345, "parametersWithout": "frontEnd" }
)";
const char* const kTransformer = R"({ "format": "headroom/architecture", "version": 1,
  "name": "t", "source": "s",
  "frontEnd": { "kind": "conv1d", "features": 80, "channels": 64, "kernels": [5, 5], "strides": [2, 2], "activation": "relu", "projection": true },
  "encoder":  { "kind": "transformer", "width": 64, "feedForward": 128, "norm": "post", "positions": "rotary",
                "activation": "gelu", "queryKeyValueBias": false, "dropout": 0.1, "attentionDropout": 0.1,
                "layers": [ { "heads": "4 full" },
                            { "heads": "2 local 64 block + 2 local 17 relaxed 0.1" },
                            { "heads": "4 masked" },
                            { "heads": "4 full" } ] },
  "decoder":  { "layers": 6, "width": 64, "feedForward": 128, "selfAttention": "4 masked", "crossAttention": "4 full smoothed", "norm": "post", "activation": "gelu", "tiedEmbeddings": true },
  "ctc": null, "vocabulary": 8000 }
)";
const char* const kLanguageModel = R"({ "format": "headroom/architecture", "version": 1,
  "name": "l", "source": "s",
  "languageModel": { "kind": "transformer", "layers": 6, "width": 512, "feedForward": 2048, "selfAttention": "8 masked", "dropout": 0.1, "attentionDropout": 0.1, "tiedEmbeddings": true },
  "vocabulary": 5000 }
)";
const char* const kLstm = R"({ "format": "headroom/architecture", "version": 1,
  "name": "l", "source": "s",
  "languageModel": { "kind": "lstm", "layers": 4, "width": 800, "dropout": 0.1, "tiedEmbeddings": true },
  "vocabulary": 5000 }
)";

/// 64 frames to a token, so that the longest kernels outgrow the longest utterance.
const char* const kLongSteps = R"({ "format": "headroom/architecture", "version": 1,
  "name": "g", "source": "s",
  "frontEnd": { "kind": "conv1d", "features": 80, "channels": 64, "kernels": [9, 9], "strides": [8, 8] },
  "encoder":  { "kind": "conformer", "width": 64, "feedForward": 128, "norm": "pre", "positions": "sinusoidal",
                "activation": "swish", "queryKeyValueBias": true, "dropout": 0.1, "attentionDropout": 0.1,
                "convolution": { "kernel": 31, "norm": "layer" },
                "layers": [ { "heads": "4 full" } ] },
  "decoder":  null,
  "ctc": 128, "vocabulary": 0 }
)";

const char* const kOddWidth = R"({ "format": "headroom/architecture", "version": 1,
  "frontEnd": { "kind": "conv1d", "features": 80, "channels": 64, "kernels": [5], "strides": [2] },
  "encoder":  { "kind": "transformer", "width": 9, "feedForward": 16, "positions": "none", "layers": [ { "heads": "3 full" } ] },
  "ctc": 5, "vocabulary": 0 })";

} // namespace

class RulesTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyKindOfDocumentIsCanonical() {
        for (const char* text : {kConformer, kTransformer, kLanguageModel, kLstm}) {
            const auto document = parseArchitecture(text, "d.json");
            QCOMPARE(QString::fromStdString(canonicalText(document)), QString(text));
            QVERIFY(parseArchitecture(canonicalText(document), "again.json") == document);
        }
        const auto conformer = parseArchitecture(kConformer, "d.json");
        QCOMPARE(conformer.frontEnd.planes, (std::vector<int>{32, 64}));
        QCOMPARE(conformer.frontEnd.activation, FrontEndActivation::Relu);
        QCOMPARE(conformer.encoder.convolution.value().kernel, 31);
        QVERIFY(conformer.encoder.convolution->bias && conformer.publishedWithoutFrontEnd);
        QCOMPARE(parseArchitecture(kLstm, "d.json").languageModel.value().width, 800);
    }

    void whatDoesNotFitIsRefusedByName_data() {
        QTest::addColumn<QString>("document");
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* document, const char* from, const char* to,
                            const char* code, const char* says) {
            QTest::newRow(name) << QString(document) << QString(from) << QString(to)
                                << QString("architecture.") + code << QString(says);
        };
        const auto heads = [&](const char* name, const char* document, const char* to, const char* code,
                               const char* says) {
            row(name, document, "{ \"heads\": \"4 full\" } ]",
                (std::string("{ \"heads\": \"") + to + "\" } ]").c_str(), code, says);
        };
        heads("relative with blocks", kConformer, "3 full + 1 local 64 block", "positions",
              "encoder, layer 4, heads: relative positions need the distance of each query to its keys, which "
              "block heads do not have; nearest is “3 full + 1 local 63”");
        heads("relative with conv", kConformer, "2 full + 2 conv 5/2", "positions",
              "relative positions need keys that are tokens");
        heads("rotary with conv", kTransformer, "2 full + 2 conv 5/2", "positions",
              "rotary positions need keys that are tokens");
        heads("rotary with odd heads", kTransformer, "64 full", "positions",
              "rotary positions rotate pairs of channels, and a head has 1");
        heads("heads beyond the width", kTransformer, "65 full", "headCount",
              "65 heads do not divide the width 64; nearest is 64");
        heads("sum of groups", kTransformer, "2 full + 1 local 5", "headCount",
              "3 heads do not divide the width 64; nearest are 2 and 4");
        heads("missing layer", kConformer, "4 reuse 9", "reuse",
              "layer 9 does not come before layer 4; nearest is “4 reuse 3”");
        heads("reusing layer", kConformer, "4 reuse 2", "reuse",
              "layer 2 has no map of its own; nearest is “4 reuse 3”");
        heads("other head count", kConformer, "8 reuse 1", "reuse", "layer 1 has 4 heads, this one 8");
        heads("reuse beside others", kConformer, "3 reuse 1 + 1 full", "reuse", "a layer can only reuse a map as a");
        heads("reuse suppressed", kConformer, "4 reuse 1 suppressed 0.5", "reuse",
              "cannot be smoothed or suppressed again; nearest is “4 reuse 1”");
        row("reuse in the first layer", kConformer, "4 full suppressed 0.5", "4 reuse 1", "reuse",
            "encoder, layer 1, heads: the first layer has no earlier layer to reuse");
        heads("γ above 1", kConformer, "4 full relaxed 1.01", "heads", "lies between 0 and 1");
        heads("γ below 0", kConformer, "4 full relaxed -0.1", "heads", "lies between 0 and 1");
        heads("σ above 1", kConformer, "4 full relaxed 0.1 fuzzy 2", "heads", "lies between 0 and 1");
        heads("masked relaxed", kConformer, "4 masked relaxed 0.1", "heads",
              "masked heads cannot be relaxed");
        heads("smoothed and suppressed", kConformer, "4 full smoothed suppressed 1", "heads", "exclude");
        heads("even window", kConformer, "4 local 16", "heads", "a centred window is odd");
        heads("kernel without stride", kConformer, "4 conv 7", "heads", "“4 conv 7”: a kernel needs a stride; nearest is “4 conv 7/2”");
        heads("stride beyond kernel", kConformer, "4 conv 2/5", "heads", "a stride larger than the kernel");
        heads("unknown kind", kConformer, "4 sparse", "heads", "there is no kind “sparse”");
        heads("unknown form", kTransformer, "4 conv 5/2 dense", "heads", "there is no");
        row("relaxed decoder", kTransformer, "\"4 masked\", \"cross", "\"4 masked relaxed 0.1\", \"cross",
            "heads", "decoder.selfAttention: “4 masked relaxed 0.1”: masked heads cannot be relaxed");
        row("masked cross-attention", kTransformer, "4 full smoothed", "4 masked", "heads",
            "decoder.crossAttention: cross-attention heads must be full");

        row("even conformer kernel", kConformer, "\"kernel\": 31", "\"kernel\": 32", "value",
            "encoder.convolution.kernel: the kernel of a conformer must be odd, so that it is centred on a token; "
            "nearest are 31 and 33");
        row("conformer kernel beyond any utterance", kLongSteps, "\"kernel\": 31", "\"kernel\": 99", "kernel",
            "encoder.convolution.kernel: a kernel of 99 tokens is longer than any utterance: 6,000 frames "
            "are "
            "94 tokens");
        row("conv heads beyond any utterance", kLongSteps, "4 full", "4 conv 99/2", "kernel",
            "encoder, layer 1, heads: a kernel of 99 tokens is longer than any utterance: 6,000 frames are "
            "94 tokens; nearest is “4 conv 94/2”");
        row("relative positions of odd width", kConformer, "\"width\": 64", "\"width\": 63", "headCount",
            "4 heads do not divide the width 63; nearest are 3 and 7");
        row("relative positions of odd width, dividing", kOddWidth, "\"none\"", "\"relative\"", "positions",
            "encoder, layer 1, heads: relative positions are pairs of sine and cosine, and the width 9 is "
            "odd");
        row("conformer without convolution", kConformer,
            "\"convolution\": { \"kernel\": 31, \"norm\": \"batch\" },", "", "missingKey",
            "encoder.convolution: this key is missing");
        row("transformer with convolution", kTransformer, "\"layers\": [ {",
            "\"convolution\": { \"kernel\": 31, \"norm\": \"batch\" }, \"layers\": [ {", "unknownKey",
            "encoder.convolution: only the layers of a conformer have a convolution");
        row("convolution without norm", kConformer, "{ \"kernel\": 31, \"norm\": \"batch\" }",
            "{ \"kernel\": 31 }", "missingKey", "encoder.convolution.norm: this key is missing");
        row("norm of the convolution", kConformer, "31, \"norm\": \"batch\"", "31, \"norm\": \"bach\"",
            "value", "encoder.convolution.norm: there is no “bach”; nearest is “batch”");
        row("post-norm conformer", kConformer, "\"pre\"", "\"post\"", "value",
            "encoder.norm: a conformer normalises before each of its parts");
        row("positions", kConformer, "\"relative\"", "\"relativ\"", "value",
            "encoder.positions: there is no “relativ”; nearest is “relative”");

        row("number for planes", kConformer, "[32, 64]", "64", "type",
            "frontEnd.channels: a conv2d front end needs a list here");
        row("planes for a number", kTransformer, "\"channels\": 64", "\"channels\": [64, 64]", "type",
            "frontEnd.channels: a conv1d front end needs one number here");
        row("too few planes", kConformer, "[32, 64]", "[32]", "value",
            "frontEnd.channels: there are 2 kernels and 1 number of planes;");
        row("GLU over planes", kConformer, "[2, 2], \"norm\"", "[2, 2], \"activation\": \"glu\", \"norm\"",
            "value", "frontEnd.activation: GLU is only for conv1d");
        row("norm of the front end", kConformer, "[2, 2], \"norm\": \"batch\"", "[2, 2], \"norm\": \"layer\"",
            "value", "frontEnd.norm: there is no “layer”; there are “none”");
        row("projection of conv2d", kConformer, "[2, 2], ", "[2, 2], \"projection\": false, ", "unknownKey",
            "frontEnd.projection: a conv2d front end always ends in a linear layer");
        row("front stride beyond kernel", kConformer, "\"strides\": [2, 2]", "\"strides\": [2, 4]", "value",
            "frontEnd.strides, number 2: a stride larger than the kernel would skip frames; nearest is 3");

        row("language model with encoder", kLanguageModel, "\"vocabulary\"",
            "\"encoder\": {}, \"vocabulary\"", "languageModel", "encoder: a language model reads no speech");
        row("language model with CTC", kLstm, "\"vocabulary\"", "\"ctc\": 5, \"vocabulary\"", "languageModel",
            "ctc: a language model reads no speech");
        row("LSTM with heads", kLstm, "\"width\": 800", "\"width\": 800, \"selfAttention\": \"4 masked\"",
            "unknownKey", "languageModel.selfAttention: an LSTM has no such part");
        row("language model that sees ahead", kLanguageModel, "8 masked", "8 full", "heads",
            "languageModel.selfAttention: a decoder's self-attention heads must be masked; nearest is “8 masked”");
        row("language model's heads", kLanguageModel, "8 masked", "7 masked", "headCount",
            "languageModel.selfAttention: 7 heads do not divide the width 512; nearest are 4 and 8");
        row("kind of language model", kLstm, "\"lstm\"", "\"lstn\"", "value",
            "languageModel.kind: there is no “lstn”; nearest is “lstm”");
        row("language model without words", kLstm, "5000", "0", "value",
            "vocabulary: this must be a whole number between 1");
        row("count that leaves out something else", kConformer, "\"parametersWithout\": \"frontEnd\"",
            "\"parametersWithout\": \"ctc\"", "value", "parametersWithout: there is no “ctc”");
        row("count that is not there", kConformer, "\"parameters\": 12345, ", "", "value",
            "parametersWithout: this says what the count in “parameters” leaves out");
    }

    /// Full and local heads have the same weights; a convolution, the maps of a reusing layer and its values, which are twice as wide,
    /// are weights of their own.
    void headsWithoutWeightsAreNamedByTheirPlace_data() {
        QTest::addColumn<QString>("model");
        QTest::addColumn<QString>("layer");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* model, const char* layer, const char* says) {
            QTest::addRow("%s from %s", layer, model) << model << layer << says;
        };
        row("4 full", "4 local 17", "");
        row("3 full + 1 conv 5/2", "3 local 9 + 1 conv 5/3", "");
        row("4 conv 5/2", "4 full", "");
        row("4 reuse 1", "4 reuse 1 relaxed 0.1", "");
        row("4 full", "4 reuse 1",
            "layer 2, heads 1–4 (reuse 1) need values of twice the width that the model does not have; start from random weights, or "
            "make these heads full or local");
        row("4 full", "3 full + 1 conv 5/2",
            "layer 2, head 4 (conv 5/2) needs a convolution that the model does not have; start from random weights, or "
            "make this head full or local");
        row("3 full + 1 conv 3/2", "2 full + 2 conv 5/2",
            "layer 2, heads 3–4 (conv 5/2) need a convolution that the model does not have; start from random weights, or "
            "make these heads full or local");
        row("4 reuse 1", "4 local 9",
            "layer 2, heads 1–4 (local 9) need queries and keys that the model does not have; start from random weights, or "
            "let this layer reuse 1");
    }
    void headsWithoutWeightsAreNamedByTheirPlace() {
        QFETCH(QString, model);
        QFETCH(QString, layer);
        QFETCH(QString, says);
        const auto layers = [](const QString& second) {
            return std::vector<Architecture::Layer>{{parseHeads("4 full")}, {parseHeads(second.toStdString())}};
        };
        QCOMPARE(QString::fromStdString(headsWithoutWeights(layers(model), layers(layer))), says);
    }
    void severalLayersWithoutWeightsAreCounted() {
        const std::vector<Architecture::Layer> model(3, {parseHeads("4 full")}), wanted(3, {parseHeads("4 conv 5/2")});
        QCOMPARE(QString::fromStdString(headsWithoutWeights(model, wanted)),
                 QStringLiteral("layer 1, heads 1–4 (conv 5/2) and 2 other layers need weights that the model does not have; "
                                "start from random weights, or draw these layers as the model has them"));
        std::vector<Architecture::Layer> mixed = wanted;
        mixed.back() = {parseHeads("4 reuse 1")};
        QCOMPARE(headsWithoutWeights(model, mixed), headsWithoutWeights(model, wanted));
    }

    void whatDoesNotFitIsRefusedByName() {
        QFETCH(QString, document);
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, code);
        QFETCH(QString, says);
        const auto at = document.indexOf(from);
        QVERIFY(at >= 0);
        document.replace(at, from.size(), to);
        try {
            parseArchitecture(document.toStdString(), "d.json");
            QFAIL("accepted");
        } catch (const Error& error) {
            const QString sentence = error.what();
            QVERIFY2(QString::fromStdString(error.code()) == code,
                     (error.code() + ": " + error.what()).c_str());
            QVERIFY2(sentence.startsWith("d.json, ") && sentence.endsWith('.') && !sentence.endsWith(".."),
                     error.what());
            QVERIFY2(sentence.contains(says), error.what());
        }
    }
};

HEADROOM_TEST(RulesTest)

} // namespace headroom::testing::rules_test

#include "rules_test.moc"
