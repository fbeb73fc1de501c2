// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/architecture/edits.h"
#include "tests/support/runner.h"

#include <fstream>
#include <QtTest>

namespace headroom::testing::document_test {

namespace {

std::string contents(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

/// The example of the document's own description, which is canonical.
const std::string& example() {
    static const auto text = contents(HEADROOM_SOURCE_DIR "/tests/core/architecture/example.json");
    return text;
}

} // namespace

class DocumentTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theExampleIsCanonical() {
        const auto document = parseArchitecture(example(), "example.json");
        QCOMPARE(QString::fromStdString(canonicalText(document)), QString::fromStdString(example()));
        QVERIFY(parseArchitecture(canonicalText(document), "again.json") == document);
        QCOMPARE(document.encoder.layers.size(), std::size_t(5));
        QCOMPARE(document.encoder.layers[4].heads[0].reusedLayer, 3);
        QCOMPARE(document.encoder.layers[2].headCount(), 4);
        QCOMPARE(document.vocabulary, 8000);
        QVERIFY(!document.ctc && !document.publishedParameters);
    }

    void otherTextBecomesCanonicalOnce() {
        const std::string compact =
            "{\"vocabulary\":0,\"ctc\":128,\"version\":1,\"format\":\"headroom/architecture\",\"name\":\"a "
            "\\\"b\\\"\\n ü\",\n"
            "            \"encoder\":{\"layers\":[{\"heads\":\"2  full+2 local "
            "17\"}],\"feedForward\":64,\"width\":32,\"kind\":\"transformer\",\"dropout\":0},\n"
            "            "
            "\"frontEnd\":{\"strides\":[2],\"kernels\":[3],\"channels\":64,\"features\":40,\"kind\":"
            "\"conv1d\"},\"parameters\":123}";
        const auto read = parseArchitecture(compact, "compact.json");
        const auto canonical = canonicalText(read);
        QVERIFY(canonical != compact);
        QVERIFY(parseArchitecture(canonical, "canonical.json") == read);
        QCOMPARE(canonicalText(parseArchitecture(canonical, "canonical.json")), canonical);
        QCOMPARE(read.name, std::string("a \"b\"\n ü"));
        QCOMPARE(read.publishedParameters.value(), std::int64_t(123));
        QCOMPARE(read.ctc.value(), 128);
        QVERIFY(!read.decoder);
        QCOMPARE(read.encoder.dropout, 0.0);
        QCOMPARE(read.encoder.attentionDropout, 0.1); // left out: the default of the schema
    }

    /// Absent, it is the dropout and is not written, so that older documents stay byte for byte.
    void activationDropoutIsWrittenOnlyIfItIsSet() {
        auto document = parseArchitecture(example(), "example.json");
        QVERIFY(!document.encoder.activationDropout);
        document.encoder.activationDropout = 0.05;
        const std::string text = canonicalText(document);
        QVERIFY(text.find("\"attentionDropout\": 0.1, \"activationDropout\": 0.05,\n") != std::string::npos);
        QVERIFY(parseArchitecture(text, "again.json") == document);
        document.encoder.activationDropout.reset();
        QCOMPARE(canonicalText(document), example());
        const auto wrong = [&](std::string changed) { return changed.replace(changed.find("0.05,"), 5, "1,"); };
        QVERIFY_EXCEPTION_THROWN(parseArchitecture(wrong(text), "wrong.json"), Error);
    }

    void oneLayerIsOneLine() {
        auto document = parseArchitecture(example(), "example.json");
        const auto before = QString::fromStdString(canonicalText(document)).split('\n');
        const auto after = QString::fromStdString(canonicalText(setLayerWindow(document, 2, 21))).split('\n');
        QCOMPARE(after.size(), before.size());
        int different = 0;
        for (int i = 0; i < before.size(); ++i)
            different += before[i] != after[i];
        QCOMPARE(different, 1);
        QVERIFY_EXCEPTION_THROWN(setLayerWindow(document, 0, 21), std::out_of_range);
        QVERIFY_EXCEPTION_THROWN(setLayerWindow(document, 6, 21), std::out_of_range);
    }

    void theFrontEndHasItsClock() {
        const auto clock = parseArchitecture(example(), "example.json").frontEnd.clock();
        QCOMPARE(clock.offset().value(), 0.0125);
        QCOMPARE(clock.step().value(), 0.04);
        QCOMPARE(clock.tokenCount(Frames(98)).value(), std::int64_t(25));
    }

    void mistakesNameFilePlaceAndNearest_data() {
        QTest::addColumn<QString>("from");
        QTest::addColumn<QString>("to");
        QTest::addColumn<QString>("code");
        QTest::addColumn<QString>("says");
        const auto row = [](const char* name, const char* from, const char* to, const char* code,
                            const char* says) {
            QTest::newRow(name) << QString(from) << QString(to) << QString("architecture.") + code
                                << QString(says);
        };
        row("unknown key", "\"width\": 256, \"feedForward\": 2048, \"norm\"",
            "\"widht\": 256, \"feedForward\": 2048, \"norm\"", "unknownKey",
            "encoder.widht: unknown key; nearest is “width”");
        row("unknown key at the top", "\"ctc\": null", "\"ctc\": null, \"colour\": 1", "unknownKey",
            "colour: unknown key");
        row("duplicate key", "\"ctc\": null", "\"ctc\": null, \"ctc\": 5", "duplicateKey",
            "ctc: duplicate key");
        row("duplicate key in a layer", "{ \"heads\": \"4 local 17\" }",
            "{ \"heads\": \"4 local 17\", \"heads\": \"4 full\" }", "duplicateKey",
            "encoder, layer 2, heads: duplicate key");
        row("even window", "4 local 17", "4 local 16", "heads",
            "encoder, layer 2, heads: “4 local 16”: a centred window is odd; nearest is “4 local 15” or “4 "
            "local 17”");
        row("unknown kind", "4 local 17", "4 locl 17", "heads", "nearest is “4 local 17”");
        // A layer of one head was suggested, which could not reuse the maps of four.
        row("no count of a reuse", "4 reuse 3", "reuse 1", "heads",
            "encoder, layer 5, heads: “reuse 1”: a group must start with its number of heads; nearest is “4 reuse 1”.");
        row("no count", "4 local 17", "local 16", "heads",
            "a group must start with its number of heads; nearest is “4 local 15” or “4 local 17”.");
        row("no count and a slip", "4 reuse 3", "reus 3", "heads", "nearest is “4 reuse 3”.");
        row("no count in the first layer", "{ \"heads\": \"4 full\" },", "{ \"heads\": \"full\" },", "heads",
            "encoder, layer 1, heads: “full”: a group must start with its number of heads; nearest is “1 full”.");
        row("heads that do not divide", "4 local 17", "3 local 17", "headCount",
            "encoder, layer 2, heads: 3 heads do not divide the width 256; nearest are 2 and 4");
        row("reuse of itself", "4 reuse 3", "4 reuse 5", "reuse",
            "encoder, layer 5, heads: layer 5 does not come before layer 5");
        row("reuse of a later layer", "4 local 17", "4 reuse 4", "reuse",
            "encoder, layer 2, heads: layer 4 does not come before layer 2");
        row("reuse beside others", "4 reuse 3", "2 reuse 3 + 2 full", "reuse",
            "a layer can only reuse a map as a whole");
        row("reuse with other heads", "4 reuse 3", "8 reuse 3", "reuse", "layer 3 has 4 heads, this one 8");
        row("reuse of a reuse", "{ \"heads\": \"4 reuse 3\" }",
            "{ \"heads\": \"4 reuse 3\" }, { \"heads\": \"4 reuse 5\" }", "reuse",
            "encoder, layer 6, heads: layer 5 has no map of its own; nearest is “4 reuse 4”");
        row("reuse smoothed", "4 reuse 3", "4 reuse 3 smoothed", "reuse", "cannot be smoothed or suppressed again");
        row("decoder not masked", "4 masked", "4 full", "heads",
            "decoder.selfAttention: a decoder's self-attention heads must be masked; nearest is “4 masked”");
        row("local cross-attention", "4 full relaxed 0.25", "4 local 17", "heads",
            "decoder.crossAttention: cross-attention heads must be full");
        row("decoder heads", "4 masked", "5 masked", "headCount",
            "decoder.selfAttention: 5 heads do not divide");
        row("no layers", "{ \"heads\": \"4 full\" },", "5,", "type",
            "encoder, layer 1: this must be an object");
        row("heads a number", "\"heads\": \"4 full\"", "\"heads\": 4", "type",
            "encoder, layer 1, heads: this must be a string");
        row("missing key", "\"features\": 80, ", "", "missingKey", "frontEnd.features: this key is missing");
        row("missing size", ", \"vocabulary\": 8000", "", "missingKey", "vocabulary: this key is missing");
        row("odd channels", "1024", "1023", "value",
            "frontEnd.channels: GLU halves the channels, so they must be even; nearest are 1022 and 1024");
        row("strides missing", "[2, 2]", "[2]", "value", "there are 2 kernels and 1 stride;");
        row("stride beyond kernel", "[2, 2]", "[2, 6]", "value",
            "frontEnd.strides, number 2: a stride larger than the kernel");
        row("stride zero", "[2, 2]", "[2, 0]", "value",
            "frontEnd.strides, number 2: this must be a whole number between 1 and 99");
        row("unknown word", "\"pre\"", "\"per\"", "value",
            "encoder.norm: there is no “per”; nearest is “pre”");
        row("unknown kind of front end", "\"conv1d\"", "\"conv\"", "value",
            "frontEnd.kind: there is no “conv”");
        row("broken number", "\"width\": 256, \"feedForward\": 2048, \"norm\"",
            "\"width\": 256.5, \"feedForward\": 2048, \"norm\"", "type",
            "encoder.width: this must be a whole number");
        row("huge number", "8000", "99999999999999999999999", "type",
            "vocabulary: this must be a whole number");
        row("number beyond every range", "8000", "1e999", "badJson", "a number in it is invalid");
        row("negative number", "8000", "-8000", "value",
            "vocabulary: this must be a whole number between 1 and 10,000,000");
        row("dropout of everything", "\"dropout\": 0.1", "\"dropout\": 1", "value",
            "encoder.dropout: this must be at least 0 and less than 1");
        row("bias a word", "true", "\"yes\"", "type",
            "encoder.queryKeyValueBias: this must be true or false");
        row("later version", "\"version\": 1", "\"version\": 2", "version",
            "the document has version 2; this version of Headroom reads version 1");
        row("other format", "headroom/architecture", "headroom/recipe", "format",
            "lc.json is a headroom/recipe, not an architecture.");
        row("other format with keys of its own", "\"format\": \"headroom/architecture\"",
            "\"format\": \"headroom/recipe\", \"augmentation\": {}", "format",
            "lc.json is a headroom/recipe, not an architecture.");
        row("format of somebody else", "headroom/architecture", "other/thing", "format",
            "this is not an architecture; its format is “other/thing”");
        row("not JSON", "\"ctc\": null", "\"ctc\": nul", "badJson", "is not JSON at line 12, column 13");
        row("a list", "{ \"format\"", "[ { \"format\"", "badJson", "is not JSON");
        row("nested", "\"ctc\": null", "\"ctc\": [[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]", "badJson",
            "nested deeper");
    }

    void mistakesNameFilePlaceAndNearest() {
        QFETCH(QString, from);
        QFETCH(QString, to);
        QFETCH(QString, code);
        QFETCH(QString, says);
        QString text = QString::fromStdString(example());
        const auto at = text.indexOf(from);
        QVERIFY(at >= 0);
        text.replace(at, from.size(), to);
        try {
            parseArchitecture(text.toStdString(), "lc.json");
            QFAIL("accepted");
        } catch (const Error& error) {
            const QString sentence = error.what();
            QVERIFY2(QString::fromStdString(error.code()) == code, error.what());
            QVERIFY2(sentence.startsWith("lc.json") && sentence.endsWith('.') && !sentence.endsWith(".."),
                     error.what());
            QVERIFY2(sentence.contains(says), error.what());
        }
    }

    void everyPrefixIsRefused() {
        const std::string text = example();
        const auto end = text.rfind('}');
        for (std::size_t length = 0; length <= end; ++length)
            try {
                parseArchitecture(std::string_view(text).substr(0, length), "prefix.json");
                QFAIL("accepted a prefix");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("architecture.badJson"));
            }
        const std::string deep(1'000'000, '[');
        QVERIFY_EXCEPTION_THROWN(parseArchitecture(deep, "deep.json"), Error);
    }

    void aFileThatIsNotThereIsNamed() {
        for (const auto* path : {"nowhere.json", "/"})
            try {
                readArchitecture(path);
                QFAIL("accepted");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("architecture.missing"));
                QVERIFY(QString(error.what()).startsWith(path));
            }
    }
};

HEADROOM_TEST(DocumentTest)

} // namespace headroom::testing::document_test

#include "document_test.moc"
