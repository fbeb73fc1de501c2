// SPDX-License-Identifier: GPL-3.0-or-later
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
        grid.write(1, 2, 2, "masked");
        grid.settle();
        QVERIFY(grid.mistakes().empty());
    }
};

HEADROOM_TEST(LanguageLayersTest)

} // namespace headroom::testing::language_layers_test

#include "language_layers_test.moc"
