// SPDX-License-Identifier: GPL-3.0-or-later
// What must hold for any model with a decoder, on the reference model: no golden numbers.
#include "models/networks/speech_model.h"
#include "tests/models/test_data.h"
#include "tests/support/random_model.h"
#include "tests/support/refusals.h"
#include "tests/support/runner.h"

#include <QTemporaryDir>
#include <QTest>

#include <algorithm>

namespace headroom::testing::decoder_analysis_test {

using namespace headroom::models;
using headroom::testing::madeFeatures;

class DecoderAnalysisTest : public QObject {
    Q_OBJECT
    std::unique_ptr<SpeechModel> m_model;

private Q_SLOTS:
    void initTestCase() { m_model = SpeechModel::open(testing::referenceModel()); }

    void theDecoderIsExplainedAtWhatItWrites() { // O1, O3, O12
        const Matrix<float> features = madeFeatures(200);
        AnalysisOptions options;
        options.keepAttention = true;
        int layers = 0;
        const DecoderAnalysis written = m_model->analyseDecoder(
            features, {}, options,
            [&](DecoderLayerAnalysis&& layer) {
                QCOMPARE(layer.layer, ++layers);
                for (const LayerAnalysis* block : {&layer.self, &layer.cross}) {
                    QVERIFY2(block->rebuildError <= 1e-4F, std::to_string(block->rebuildError).c_str());
                    QVERIFY2(block->gramError <= 1e-5F, std::to_string(block->gramError).c_str());
                    QVERIFY(block->rowSumError <= 1e-5F);
                }
                const auto targets = layer.self.contributions.rows();
                QCOMPARE(layer.self.contributions.columns(), targets);
                QCOMPARE(layer.cross.contributions.columns(), std::size_t(51)); // 50 tokens and the residual
                QCOMPARE(layer.cross.attention.front().columns(), std::size_t(50));
                for (std::size_t i = 0; i < targets; ++i)
                    for (std::size_t j = i + 1; j < targets; ++j)
                        QCOMPARE(layer.self.contributions(i, j), 0.0F); // nothing from the future
            },
            nullptr, 12);
        QVERIFY(layers > 0);
        QCOMPARE(written.tokens, std::int64_t(50));
        QCOMPARE(written.outputs, m_model->greedy(features, 12));
        QCOMPARE(written.inputs.front(), 2);

        // Teacher forcing on the same inputs gives the same maps; other layers are left out where not asked
        // for.
        options.layers = {2};
        int seen = 0;
        const DecoderAnalysis forced =
            m_model->analyseDecoder(features, written.inputs, options, [&](DecoderLayerAnalysis&& layer) {
                ++seen;
                QCOMPARE(layer.layer, 2);
            });
        QCOMPARE(seen, 1);
        QCOMPARE(forced.outputs, written.outputs);
        options.layers = {99};
        QCOMPARE(
            codeOf([&] { m_model->analyseDecoder(features, {2}, options, [](DecoderLayerAnalysis&&) {}); }),
            std::string("model.noSuchLayer"));
        QCOMPARE(codeOf([&] { m_model->analyseDecoder(features, {-1}, {}, [](DecoderLayerAnalysis&&) {}); }),
                 std::string("model.badTokens"));
    }

    void anEncoderAloneHasNoDecoderToExplain() {
        const QTemporaryDir folder;
        const testing::RandomModel made(folder.filePath("model").toStdString(), {"4 full"});
        QCOMPARE(codeOf([&] {
                     SpeechModel::open(made.folder())
                         ->analyseDecoder(madeFeatures(50), {}, {}, [](DecoderLayerAnalysis&&) {});
                 }),
                 std::string("model.noDecoder"));
    }

    void targetsThatAreNoneAreRefused() {
        const Matrix<float> features = madeFeatures(50);
        for (const std::vector<int>& tokens :
             {std::vector<int>{}, {2, 256}, {2, -1}, std::vector<int>(1025, 5)})
            QCOMPARE(codeOf([&] { m_model->forcedLogits(features, tokens); }),
                     std::string("model.badTokens"));
    }

    void greedyIsTheBestForcedToken() {
        const Matrix<float> features = madeFeatures(120);
        const std::vector<int> ids = m_model->greedy(features, 12);
        QVERIFY(!ids.empty() && ids.size() <= 12);
        std::vector<int> inputs{2};
        inputs.insert(inputs.end(), ids.begin(), ids.end() - 1);
        const Matrix<float> logits = m_model->forcedLogits(features, inputs);
        for (std::size_t t = 0; t < ids.size(); ++t) {
            const auto row = logits.row(t);
            QCOMPARE(static_cast<int>(std::max_element(row.begin(), row.end()) - row.begin()), ids[t]);
        }
    }
};

HEADROOM_TEST(DecoderAnalysisTest)

} // namespace headroom::testing::decoder_analysis_test

#include "decoder_analysis_test.moc"
