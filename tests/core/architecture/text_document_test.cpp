// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/architecture.h"
#include "core/architecture/costs.h"
#include "core/errors/error.h"
#include "core/features/model_input.h"
#include "tests/core/architecture/document_refusal.h"
#include "tests/support/runner.h"

#include <QTest>

namespace headroom::testing::text_document_test {

namespace {

std::string document(const std::string& frontEnd, int width = 512,
                     const std::string& decoder = R"({ "layers": 6,
"width": 512, "feedForward": 1024, "selfAttention": "4 masked", "crossAttention": "4 full", "tiedEmbeddings": true })") {
    return R"({ "format": "headroom/architecture", "version": 1, "name": "text", "source": "a test", "frontEnd": )" +
           frontEnd + R"(, "encoder": { "kind": "transformer", "width": )" + std::to_string(width) +
           R"(, "feedForward": 1024, "norm": "post", "layers": [ { "heads": "4 full" }, { "heads": "4 local 5" } ] },
"decoder": )" +
           decoder + R"(, "ctc": null, "vocabulary": 10000 })";
}

} // namespace

class TextDocumentTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void canonicalTextComesBack() {
        for (const char* frontEnd : {R"({ "kind": "text" })", R"({ "kind": "text", "scaled": false })",
                                     R"({ "kind": "text", "vocabulary": 700, "scaled": false })"}) {
            const auto read = parseArchitecture(document(frontEnd), "x.json");
            const std::string text = canonicalText(read);
            QVERIFY(text.find(std::string("\"frontEnd\": ") + frontEnd) != std::string::npos);
            QVERIFY(parseArchitecture(text, "x.json") == read);
            QCOMPARE(canonicalText(parseArchitecture(text, "x.json")), text);
        }
    }

    void aTokenOfTheTextIsATokenAndItsPlaceItsTime() {
        const auto frontEnd = parseArchitecture(document(R"({ "kind": "text" })"), "x.json").frontEnd;
        QCOMPARE(frontEnd.ownTokens(7), 7);
        QCOMPARE(frontEnd.clock().centre(Tokens(6)).value(), 6.0);
        QCOMPARE(frontEnd.framesIn(Seconds(1)).value(), 100);
        const Matrix<float> column = textFeatures(std::vector<int>{9, 8});
        QCOMPARE(column.values(), (std::vector<float>{9, 8, 2}));
        QVERIFY_EXCEPTION_THROWN(modelFeatures(std::vector<float>(16000), frontEnd.input()), Error);
    }

    void theFrontEndCostsNothing() {
        const auto architecture = parseArchitecture(document(R"({ "kind": "text" })"), "x.json");
        QCOMPARE(parameterCosts(architecture).frontEndParameters, 0);
        QCOMPARE(encoderCosts(architecture, 20).tokens, 20);
    }

    void aVocabularyOfTheSourceHasATableOfItsOwn() {
        const auto shared = parseArchitecture(document(R"({ "kind": "text" })"), "x.json"),
                   own = parseArchitecture(document(R"({ "kind": "text", "vocabulary": 700 })"), "x.json");
        QCOMPARE(shared.sourceVocabulary(), shared.vocabulary);
        QCOMPARE(own.sourceVocabulary(), 700);
        QCOMPARE(parameterCosts(own).parameters - parameterCosts(shared).parameters, std::int64_t(700) * own.encoder.width);
        // Without a common table the decoder may have another width.
        QVERIFY_EXCEPTION_THROWN(parseArchitecture(document(R"({ "kind": "text" })", 256), "x.json"), Error);
        QCOMPARE(parseArchitecture(document(R"({ "kind": "text", "vocabulary": 700 })", 256), "x.json").encoder.width, 256);
        QVERIFY(documentRefusal(document(R"({ "kind": "text", "vocabulary": 0 })")).find("vocabulary") != std::string::npos);
    }

    void whatDoesNotFitIsRefused() {
        QVERIFY(documentRefusal(document(R"({ "kind": "text", "features": 80 })")).find("features") !=
                std::string::npos);
        QVERIFY(documentRefusal(document(R"({ "kind": "text" })", 256)).find("both widths must be equal") !=
                std::string::npos);
        QVERIFY(documentRefusal(document(R"({ "kind": "text" })", 512, "null")).find("there is no decoder") !=
                std::string::npos);
    }
};

HEADROOM_TEST(TextDocumentTest)

} // namespace headroom::testing::text_document_test

#include "text_document_test.moc"
