// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/costs.h"
#include "core/architecture/head_grid.h"
#include "core/architecture/language_layers.h"
#include "tests/support/runner.h"
#include "tests/support/small_architectures.h"

#include <QTest>

namespace headroom::testing::language_layers_test {

class LanguageLayersTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aLanguageModelHasItsLayersWhereAnEncoderHasThem() {
        const Architecture model = smallLanguageModel(LanguageModelKind::Transformer, 3);
        const Architecture seen = withLanguageLayers(model);
        QCOMPARE(seen.encoder.layers.size(), std::size_t(3));
        for (const Architecture::Layer& layer : seen.encoder.layers)
            QCOMPARE(toText(layer.heads), std::string("2 masked"));
        QCOMPARE(seen.encoder.width, model.languageModel->width);
        QCOMPARE(seen.frontEnd.clock().centre(Tokens(6)).value(), 6.0);
        QVERIFY(seen.frontEnd.reads == InputKind::Text);
        QVERIFY(withLanguageLayers(seen) == seen);
    }

    void itsDocumentStaysTheSame() {
        const Architecture model = smallLanguageModel(LanguageModelKind::Transformer, 3);
        QCOMPARE(canonicalText(withLanguageLayers(model)), canonicalText(model));
        const Architecture read = withLanguageLayers(parseArchitecture(canonicalText(model), "a.json"));
        QVERIFY(read == withLanguageLayers(model));
    }

    void anLstmHasNoLayersOfHeads() {
        const Architecture lstm = smallLanguageModel(LanguageModelKind::Lstm, 3);
        QVERIFY(withLanguageLayers(lstm) == lstm);
    }

    void itReadsTheStartAndPredictsEachPiece() {
        const std::vector<int> ids{9, 8};
        const Architecture model = smallLanguageModel(LanguageModelKind::Transformer, 1);
        QCOMPARE(sourceFeatures(model, ids).values(), (std::vector<float>{2, 9, 8}));
        QCOMPARE(sourceFeatures(Architecture(), ids).values(), (std::vector<float>{9, 8, 2}));
    }

    void otherHeadsThanMaskedOnesAreMistakes() {
        const Architecture seen = withLanguageLayers(smallLanguageModel(LanguageModelKind::Transformer, 2));
        HeadGrid grid(seen.encoder.layers, surroundingsOf(seen));
        QVERIFY(grid.mistakes().empty());
        grid.write(1, 2, 2, "local 5");
        grid.settle();
        QCOMPARE(grid.mistakes().size(), std::size_t(1));
        QCOMPARE(grid.mistakes().front().firstHead, 2);
        QVERIFY(grid.mistakes().front().sentence.find("masked") != std::string::npos);
        QCOMPARE(toText(grid.layer(1).heads), std::string("2 masked")); // what counts
        QCOMPARE(grid.mistakes().front().suggestions, std::vector<std::string>{"masked 5"}); // as far
        grid.write(1, 2, 2, "masked");
        grid.settle();
        QVERIFY(grid.mistakes().empty());
        grid.write(1, 1, 2, "7"); // a window alone
        grid.settle();
        QCOMPARE(toText(grid.layer(1).heads), std::string("2 masked 7"));
        QCOMPARE(toText(grid.layer(2).heads), std::string("2 masked"));
    }

    void eachLayerMayHaveAWindowOfItsOwn() {
        Architecture seen = withLanguageLayers(smallLanguageModel(LanguageModelKind::Transformer, 3));
        const std::string before = canonicalText(seen);
        seen.encoder.layers[1].heads = parseHeads("2 masked 9");
        takeLanguageHeads(seen);
        const std::string text = canonicalText(seen);
        QVERIFY2(text.find(R"("selfAttention": ["2 masked", "2 masked 9", "2 masked"])") != std::string::npos,
                 text.c_str());
        const Architecture read = parseArchitecture(text, "a.json");
        QCOMPARE(toText(read.languageModel->headsOf(1)), std::string("2 masked 9"));
        QVERIFY(withLanguageLayers(read) == seen);
        QVERIFY(encoderCosts(read, 40).attentionMacs <
                encoderCosts(parseArchitecture(before, "b.json"), 40).attentionMacs);
        seen.encoder.layers[1].heads = parseHeads("2 masked");
        takeLanguageHeads(seen);
        QCOMPARE(canonicalText(seen), before); // one text again
    }

    void aListHasATextForEachLayer() {
        const std::string text = canonicalText(smallLanguageModel(LanguageModelKind::Transformer, 2));
        const auto refusal = [&](const std::string& heads) {
            std::string changed = text;
            changed.replace(changed.find("\"2 masked\""), 10, heads);
            try {
                parseArchitecture(changed, "a.json");
                return std::string();
            } catch (const Error& error) {
                return std::string(error.what());
            }
        };
        QCOMPARE(refusal(R"(["2 masked", "2 masked 5"])"), std::string());
        QVERIFY(refusal(R"(["2 masked"])").find("there must be 2 texts, not 1") != std::string::npos);
        QVERIFY(refusal(R"(["2 masked", 3])").find("selfAttention, layer 2: this must be a string") !=
                std::string::npos);
        QVERIFY(refusal(R"(["2 masked", "2 local 5"])").find("nearest is “2 masked 5”") != std::string::npos);
        QVERIFY(refusal(R"(["2 masked", "3 masked"])").find("selfAttention, layer 2: 3 heads do not divide") !=
                std::string::npos);
    }
};

HEADROOM_TEST(LanguageLayersTest)

} // namespace headroom::testing::language_layers_test

#include "language_layers_test.moc"
