// SPDX-License-Identifier: GPL-3.0-or-later
// What is computed of a decoder's layers: once, of the block that is asked for, of the recording in its window.
#include "core/features/model_input.h"
#include "tests/models/mixing/analysed_decoder.h"
#include "tests/support/runner.h"

#include <QTest>

#include <cmath>
#include <numeric>

namespace headroom::testing::decoder_blocks_test {

using namespace headroom::models;

class DecoderBlocksTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void contributionsThatAreMeasuredAreThoseOfTheChecks() { // they are computed once
        const Analysed with = analysed("s2t", "contributions"), without = analysed("s2t", "attention");
        for (std::size_t layer = 0; layer < with.decoder.size(); ++layer)
            for (const auto block : {&DecoderLayerAnalysis::self, &DecoderLayerAnalysis::cross}) {
                const LayerAnalysis &a = with.decoder[layer].*block, &b = without.decoder[layer].*block;
                QVERIFY(!a.contributions.empty() && a.contributions.values() == b.contributions.values());
                QVERIFY(a.headRelevance.values() == b.headRelevance.values());
                QCOMPARE(a.rebuildError, b.rebuildError);
                QCOMPARE(a.rowSumError, b.rowSumError);
                QCOMPARE(a.gramError, b.gramError);
                QVERIFY(a.contributionProfile.sums() == b.contributionProfile.sums());
            }
    }

    void oneBlockIsAnalysedWithoutTheOther() {
        const std::string measures = "alti,rollout-contributions"; // the rollout reads both blocks
        const Analysed both = analysed("s2t", measures, {2});
        const auto& whole = both.decoder.front();
        for (const DecoderBlocks blocks : {DecoderBlocks::Self, DecoderBlocks::Cross}) {
            const Analysed found = analysed("s2t", measures, {2}, blocks);
            QCOMPARE(found.decoder.size(), std::size_t(1));
            const DecoderLayerAnalysis& alone = found.decoder.front();
            const bool cross = blocks == DecoderBlocks::Cross;
            const LayerAnalysis &own = cross ? alone.cross : alone.self, &other = cross ? alone.self : alone.cross;
            const LayerAnalysis& expected = cross ? whole.cross : whole.self;
            QCOMPARE(alone.layer, 2);
            QVERIFY(own.contributions.values() == expected.contributions.values());
            for (std::size_t measure = 0; measure < 2; ++measure)
                QVERIFY(own.mixing[measure].map.values() == expected.mixing[measure].map.values());
            QVERIFY(other.contributions.empty() && other.attention.empty() && other.mixing.empty());
        }
    }

    void measuresOfAFixedWindowAreThoseOfTheRecordingInIt() { // Whisper's
        Architecture architecture = smallFamily("s2t");
        architecture.frontEnd.reads = InputKind::WhisperLogMel;
        architecture.frontEnd.kernels = {3, 3};
        architecture.frontEnd.strides = {1, 2};
        const auto model = madeSpeechModel("tiny", architecture, madeWeights(architecture));
        std::vector<float> samples(16000); // 50 of 1,500 tokens
        for (std::size_t i = 0; i < samples.size(); ++i)
            samples[i] = 0.3F * std::sin(0.02F * static_cast<float>(i % 700) * static_cast<float>(i / 4000 + 1));
        const Matrix<float> features = modelFeatures(samples, architecture.frontEnd.input());
        AnalysisOptions options;
        options.keepAttention = true;
        options.mixing.measures = mixingMeasures("attention,contributions,value-zeroing,rollout-contributions");
        int layers = 0;
        const DecoderAnalysis found = model->analyseDecoder(features, {2, 7, 9}, options, [&](DecoderLayerAnalysis&& layer) {
            ++layers;
            QCOMPARE(layer.cross.paddingShare.size(), std::size_t(3)); // the window is there, and left out
            for (const MixingMap& map : layer.cross.mixing) {
                QVERIFY2(map.reason.empty(), map.reason.c_str());
                QCOMPARE(map.map.rows(), std::size_t(3));
                QCOMPARE(map.map.columns(), std::size_t(50));
                for (std::size_t i = 0; i < 3; ++i) {
                    const auto row = map.map.row(i);
                    QVERIFY(std::abs(std::accumulate(row.begin(), row.end(), 0.0) - 1) <= 1e-5);
                }
            }
            Rows sound = rowsOf(layer.cross.contributions);
            for (auto& row : sound)
                row.pop_back(); // the residual
            QVERIFY(apart(layer.cross.mixing[1].map, sound) <= 1e-6);
            QVERIFY(apart(layer.self.mixing[1].map, rowsOf(layer.self.contributions)) <= 1e-6); // the text has no window
        });
        QCOMPARE(layers, architecture.decoder->layers);
        QCOMPARE(found.tokens, std::int64_t(50));
    }
};

HEADROOM_TEST(DecoderBlocksTest)

} // namespace headroom::testing::decoder_blocks_test

#include "decoder_blocks_test.moc"
