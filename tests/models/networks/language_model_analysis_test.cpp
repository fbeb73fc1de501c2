// SPDX-License-Identifier: GPL-3.0-or-later
// The layers of a language model explained: causal maps, contributions that sum to 1, and the states of the model itself.
#include "core/features/model_input.h"
#include "models/layers/numbers.h"
#include "models/networks/language_model.h"
#include "models/networks/language_model_analysis.h"
#include "models/networks/token_embedding.h"
#include "tests/models/networks/families.h"
#include "tests/support/runner.h"
#include "tests/support/small_architectures.h"

#include <ATen/ops/from_blob.h>
#include <c10/core/InferenceMode.h>

#include <QTest>

#include <cmath>

namespace headroom::testing::language_model_analysis_test {

using namespace headroom::models;

namespace {

constexpr int kTokens = 6;

Checkpoint checkpointOf(LanguageModelKind kind, NormPlace norm) {
    Checkpoint made;
    made.info.name = "words";
    made.info.architecture = smallLanguageModel(kind, 3);
    made.info.architecture.languageModel->norm = norm;
    made.parameters = madeWeights(made.info.architecture);
    return made;
}

Matrix<float> source() {
    return languageFeatures(std::vector<int>{9, 31, 9, 7, 22});
}

/// No row looks at a later token, up to `rounding`, and each sums to 1.
void checkCausal(const Matrix<float>& map, float rounding = 0) {
    QCOMPARE(map.rows(), std::size_t(kTokens));
    QCOMPARE(map.columns(), std::size_t(kTokens));
    for (std::size_t row = 0; row < kTokens; ++row) {
        double sum = 0;
        for (std::size_t column = 0; column < kTokens; ++column) {
            sum += static_cast<double>(map(row, column));
            QVERIFY(column <= row ? map(row, column) >= 0 : std::abs(map(row, column)) <= rounding);
        }
        QVERIFY(std::abs(sum - 1) < 1e-5);
    }
}

} // namespace

class LanguageModelAnalysisTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void everyLayerIsExplained_data() {
        QTest::addColumn<int>("norm");
        QTest::newRow("pre-norm") << int(NormPlace::Pre);
        QTest::newRow("post-norm") << int(NormPlace::Post);
    }
    void everyLayerIsExplained() {
        QFETCH(int, norm);
        const auto model = analysedLanguageModel(checkpointOf(LanguageModelKind::Transformer, NormPlace(norm)));
        QCOMPARE(model->info().architecture.encoder.layers.size(), std::size_t(3));
        AnalysisOptions options;
        options.keepAttention = options.keepStates = true;
        options.mixing.measures = {{Mixing::ValueZeroing, false}, {Mixing::AttentionNorm, true}};
        std::vector<int> order;
        Matrix<float> last;
        const EncoderAnalysis found = model->analyse(source(), options, [&](LayerAnalysis&& layer) {
            order.push_back(layer.layer);
            QVERIFY2(layer.reason.empty(), layer.reason.c_str());
            checkCausal(layer.contributions);
            for (const Matrix<float>& map : layer.attention)
                checkCausal(map);
            for (const MixingMap& map : layer.mixing)
                checkCausal(map.map, 1e-5F); // value zeroing computes cosines
            QVERIFY(layer.rebuildError < 1e-4F);
            QVERIFY(layer.gramError < 1e-4F);
            QCOMPARE(layer.state.rows(), std::size_t(kTokens));
            last = layer.state;
        });
        QCOMPARE(order, (std::vector<int>{1, 2, 3}));
        QCOMPARE(found.tokens, std::int64_t(kTokens));
        QCOMPARE(found.input.rows(), std::size_t(kTokens));
        if (NormPlace(norm) == NormPlace::Post) // nothing stands behind the last layer
            QVERIFY(last.values() == found.encoderOutput.values());
    }

    void aWindowIsSeenInItsMaps() {
        Checkpoint made = checkpointOf(LanguageModelKind::Transformer, NormPlace::Pre);
        made.info.architecture.languageModel->setHeads(
            {{parseHeads("2 masked 3")}, {parseHeads("1 masked 5 + 1 masked")}, {parseHeads("2 masked 9")}});
        const auto model = analysedLanguageModel(std::move(made));
        AnalysisOptions options;
        options.keepAttention = true;
        int layers = 0;
        model->analyse(source(), options, [&](LayerAnalysis&& layer) {
            const int reach[] = {1, 5, 4}; // of the wider head
            QVERIFY2(layer.reason.empty(), layer.reason.c_str());
            checkCausal(layer.contributions);
            for (const Matrix<float>& map : layer.attention)
                checkCausal(map);
            for (int row = 0; row < kTokens; ++row)
                for (int column = 0; column <= row; ++column)
                    QCOMPARE(layer.contributions(std::size_t(row), std::size_t(column)) > 0,
                             row - column <= reach[layer.layer - 1]);
            QVERIFY(layer.rebuildError < 1e-4F);
            QVERIFY(layer.gramError < 1e-4F);
            ++layers;
        });
        QCOMPARE(layers, 3);
    }

    void itsOutputIsWhatTheModelPredictsFrom() {
        const c10::InferenceMode inference;
        const Checkpoint checkpoint = checkpointOf(LanguageModelKind::Transformer, NormPlace::Pre);
        const auto model = analysedLanguageModel(checkpointOf(LanguageModelKind::Transformer, NormPlace::Pre));
        const Matrix<float> output = model->encode(source());
        const at::Tensor& table = checkpoint.parameters.get("model.embed_tokens.weight");
        const at::Tensor logits =
            tokenLogits(checkpoint.parameters, table,
                        at::from_blob(const_cast<float*>(output.values().data()),
                                      {1, kTokens, static_cast<std::int64_t>(output.columns())}));
        const at::Tensor expected =
            LanguageModel(checkpoint.parameters, checkpoint.info.architecture).feed({2, 9, 31, 9, 7, 22});
        QVERIFY(largest(logits.squeeze(0).sub(expected)) <= 1e-5);
    }

    void onlyTheLayersThatAreWantedArrive() {
        const auto model = analysedLanguageModel(checkpointOf(LanguageModelKind::Transformer, NormPlace::Pre));
        AnalysisOptions options;
        options.layers = {2};
        std::vector<int> order;
        model->analyse(source(), options, [&](LayerAnalysis&& layer) { order.push_back(layer.layer); });
        QCOMPARE(order, std::vector<int>{2});
        options.layers = {4};
        QVERIFY_THROWS_EXCEPTION(Error, model->analyse(source(), options, [](LayerAnalysis&&) {}));
    }

    void whatItCannotDoIsSaid() {
        const auto model = analysedLanguageModel(checkpointOf(LanguageModelKind::Transformer, NormPlace::Pre));
        try {
            model->greedy(source());
            QFAIL("a language model writes no other text");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.noDecoder"));
        }
        try {
            analysedLanguageModel(checkpointOf(LanguageModelKind::Lstm, NormPlace::Pre));
            QFAIL("an LSTM has no attention");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("model.languageModel"));
        }
    }
};

HEADROOM_TEST(LanguageModelAnalysisTest)

} // namespace headroom::testing::language_model_analysis_test

#include "language_model_analysis_test.moc"
