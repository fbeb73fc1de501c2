// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/receptive_field.h"
#include "tests/support/runner.h"

#include <QTest>

#include <cmath>

namespace headroom::testing::receptive_field_test {

namespace {

Architecture::Encoder encoderOf(const std::vector<const char*>& layers) {
    Architecture::Encoder encoder;
    for (const char* heads : layers)
        encoder.layers.push_back({parseHeads(heads)});
    return encoder;
}

TokenSpan keysOf(const char* heads, std::int64_t query, std::int64_t tokens) {
    return visibleKeys(parseHeads(heads).front(), query, tokens);
}

} // namespace

class ReceptiveFieldTest : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void aHeadSeesWhatItsKindAllows() {
        QCOMPARE(keysOf("4 full", 3, 20), (TokenSpan{0, 19}));
        QCOMPARE(keysOf("4 masked", 3, 20), (TokenSpan{0, 3}));
        QCOMPARE(keysOf("4 masked 5", 1, 20), (TokenSpan{0, 1}));
        QCOMPARE(keysOf("4 masked 5", 10, 20), (TokenSpan{8, 10}));
        QCOMPARE(keysOf("4 local 5", 0, 20), (TokenSpan{0, 2}));
        QCOMPARE(keysOf("4 local 5", 10, 20), (TokenSpan{8, 12}));
        QCOMPARE(keysOf("4 local 5", 19, 20), (TokenSpan{17, 19}));
        QCOMPARE(keysOf("4 conv 5/2", 3, 20), (TokenSpan{0, 19}));
        QCOMPARE(keysOf("4 conv 8/4", 3, 19),
                 (TokenSpan{0, 17})); // four keys, of which the last ends at token 17
    }

    void blocksOfTheReleasedMultiformerReach21To41() { // O9
        const auto block = parseHeads("2 local 64 block").front();
        std::int64_t nearest = 1000, farthest = 0;
        for (std::int64_t query = 21; query < 21 * 8; ++query) {
            const TokenSpan span = visibleKeys(block, query, 21 * 9);
            QCOMPARE(span.last - span.first + 1, std::int64_t(63));
            nearest = std::min(nearest, query - span.first);
            farthest = std::max(farthest, query - span.first);
        }
        QCOMPARE(nearest, std::int64_t(21));
        QCOMPARE(farthest, std::int64_t(41));
        QCOMPARE(visibleKeys(block, 5, 189), (TokenSpan{0, 41}));
        QCOMPARE(visibleKeys(block, 188, 189), (TokenSpan{147, 188}));
    }

    void theMaskOfAMixedLayerIsTheShareOfItsHeads() {
        const auto encoder =
            encoderOf({"1 local 3 + 3 conv 5/2", "4 full", "2 local 3 + 2 local 7", "4 reuse 3"});
        const Matrix<float> first = effectiveMask(encoder, 1, 12);
        QCOMPARE(first(5, 5), 1.0F);
        QCOMPARE(first(5, 6), 1.0F);
        QCOMPARE(first(5, 7), 0.75F);
        const Matrix<float> third = effectiveMask(encoder, 3, 12);
        QCOMPARE(third(5, 6), 1.0F);
        QCOMPARE(third(5, 8), 0.5F);
        QCOMPARE(third(5, 9), 0.0F);
        QCOMPARE(effectiveMask(encoder, 4, 12).values(), third.values());
        const Matrix<float> second = effectiveMask(encoder, 2, 12);
        for (const float value : second.values())
            QCOMPARE(value, 1.0F);
    }

    void informationTravelsThroughEveryLayer_data() {
        QTest::addColumn<QStringList>("layers");
        QTest::addColumn<int>("kernel");
        QTest::newRow("windows") << QStringList{"4 local 5", "4 local 9", "4 local 1"} << 0;
        QTest::newRow("blocks") << QStringList{"4 local 9 block", "4 local 9 block", "4 local 12 block"} << 0;
        QTest::newRow("mixed") << QStringList{"2 local 3 + 2 local 9 block", "4 local 5", "4 reuse 1",
                                              "4 local 7"}
                               << 0;
        QTest::newRow("conformer") << QStringList{"4 local 3", "4 local 5", "4 local 3"} << 5;
        QTest::newRow("causal") << QStringList{"4 masked", "2 masked + 2 local 5"} << 0;
    }
    void informationTravelsThroughEveryLayer() { // against the product of boolean masks
        QFETCH(QStringList, layers);
        QFETCH(int, kernel);
        constexpr std::int64_t kTokens = 41;
        std::vector<QByteArray> texts;
        std::vector<const char*> heads;
        for (const QString& layer : layers)
            texts.push_back(layer.toUtf8());
        for (const QByteArray& text : texts)
            heads.push_back(text.constData());
        Architecture::Encoder encoder = encoderOf(heads);
        if (kernel > 0)
            encoder.convolution = Architecture::Convolution{kernel, ConvolutionNorm::Batch};
        const ReceptiveField field(encoder, kTokens);
        QCOMPARE(field.layers(), static_cast<int>(layers.size()));
        QCOMPARE(field.tokens(), kTokens);

        const auto through = [&](const Matrix<float>& step, const Matrix<float>& before) {
            Matrix<float> after(kTokens, kTokens);
            for (std::size_t i = 0; i < kTokens; ++i)
                for (std::size_t k = 0; k < kTokens; ++k)
                    for (std::size_t j = 0; (step(i, k) > 0 || i == k) && j < kTokens; ++j)
                        after(i, j) += before(k, j);
            return after;
        };
        Matrix<float> knows(kTokens, kTokens);
        for (std::size_t i = 0; i < kTokens; ++i)
            knows(i, i) = 1;
        for (int layer = 1; layer <= field.layers(); ++layer) {
            knows = through(effectiveMask(encoder, layer, kTokens), knows);
            if (kernel > 0) {
                Matrix<float> convolution(kTokens, kTokens);
                for (std::size_t i = 0; i < kTokens; ++i)
                    for (std::size_t j = 0; j < kTokens; ++j)
                        convolution(i, j) = std::abs(double(i) - double(j)) <= kernel / 2 ? 1 : 0;
                knows = through(convolution, knows);
            }
            for (std::size_t i = 0; i < kTokens; ++i) {
                const TokenSpan span = field.of(layer, static_cast<std::int64_t>(i));
                for (std::size_t j = 0; j < kTokens; ++j) {
                    const bool inside = static_cast<std::int64_t>(j) >= span.first &&
                                        static_cast<std::int64_t>(j) <= span.last;
                    QVERIFY2(inside == (knows(i, j) > 0),
                             qPrintable(QString("layer %1, %2 of %3").arg(layer).arg(j).arg(i)));
                }
            }
        }
    }

    void theReachIsTheFarthestOfAllTokens() {
        const ReceptiveField narrow(encoderOf({"4 local 5", "4 local 9"}), 100);
        QCOMPARE(narrow.reach(1), (ReceptiveField::Reach{2, 2}));
        QCOMPARE(narrow.reach(2), (ReceptiveField::Reach{6, 6}));
        QVERIFY(!narrow.whole(2));
        const ReceptiveField blocks(encoderOf({"4 local 64 block", "4 local 64 block"}), 400);
        QCOMPARE(blocks.reach(1), (ReceptiveField::Reach{41, 41}));
        QCOMPARE(blocks.reach(2), (ReceptiveField::Reach{62, 62})); // not 82: blocks stay where they are
        const ReceptiveField wide(encoderOf({"4 local 5", "4 full"}), 100);
        QVERIFY(!wide.whole(1) && wide.whole(2));
        QCOMPARE(wide.reach(2), (ReceptiveField::Reach{99, 99}));
        const ReceptiveField causal(encoderOf({"4 masked"}), 10);
        QCOMPARE(causal.reach(1), (ReceptiveField::Reach{9, 0}));
        auto branches = encoderOf({"4 local 3", "4 local 9"});
        branches.branch = Architecture::GatedBranch{12, 7, 5}; // 3 beside the attention's 1 or 4, and 2 behind both
        const ReceptiveField merged(branches, 100);
        QCOMPARE(merged.reach(1), (ReceptiveField::Reach{5, 5}));
        QCOMPARE(merged.reach(2), (ReceptiveField::Reach{11, 11}));
        auto backwards = encoderOf({"4 local 3", "4 masked 5"});
        backwards.convolution = Architecture::Convolution{7};
        backwards.convolution->causal = true;
        QCOMPARE(ReceptiveField(backwards, 100).reach(1), (ReceptiveField::Reach{7, 1}));
        QCOMPARE(ReceptiveField(backwards, 100).reach(2), (ReceptiveField::Reach{15, 1}));
        auto positioned = encoderOf({"4 local 3"}); // HuBERT: the last output of an even kernel is cut
        positioned.positionalConvolution = Architecture::PositionalConvolution{128};
        QCOMPARE(ReceptiveField(positioned, 400).reach(1), (ReceptiveField::Reach{65, 64}));
        positioned.positionalConvolution = Architecture::PositionalConvolution{19, 16, 5}; // data2vec
        QCOMPARE(ReceptiveField(positioned, 400).reach(1), (ReceptiveField::Reach{46, 46}));
        QCOMPARE(ReceptiveField(encoderOf({"4 full"}), 0).layers(), 0);
        QVERIFY(ReceptiveField(encoderOf({"4 local 3"}), 1).whole(1));
    }

    void whatWasHeardCountsTheFrontEndsFramesToo() {
        const TokenClock clock = TokenClock::speechToText();
        const HeardPart middle = heardPart({10, 12}, clock, FrameClock(), Frames(200), Seconds(2.02));
        // Token 10 reads frames 34 to 46, token 12 frames 42 to 54; a frame is 25 ms long.
        QVERIFY(std::abs(middle.start.value() - 0.34) <= 1e-9);
        QVERIFY(std::abs(middle.end.value() - 0.565) <= 1e-9);
        const HeardPart all = heardPart({0, 49}, clock, FrameClock(), Frames(200), Seconds(2.02));
        QVERIFY(std::abs(all.start.value()) <= 1e-9);
        QVERIFY(std::abs(all.end.value() - 2.015) <= 1e-9);
    }

    void nothingIsHeardBeyondTheRecording() {
        const FrameClock centred(Seconds(0.010), Seconds(0.025), Seconds(-0.0125)); // Whisper, Parakeet, ESPnet
        const HeardPart all = heardPart({0, 49}, TokenClock(centred, {{}, {}}), centred, Frames(200), Seconds(2));
        QCOMPARE(all.start, Seconds(0));
        QCOMPARE(all.end, Seconds(2));
    }

    void compressedKeysStandWhereTheirTokensAre() { // O10
        const CompressedKeys keys = CompressedKeys::of(parseHeads("2 conv 5/2").front());
        for (const auto& [tokens, count] :
             {std::pair{166, 82}, {167, 83}, {5, 2}, {6, 2}, {7, 3}, {1, 1}, {2, 1}})
            QCOMPARE(keys.count(tokens), std::int64_t(count));
        QCOMPARE(keys.centre(0), 1.0);
        QCOMPARE(keys.centre(10), 21.0);
        const CompressedKeys papi = CompressedKeys::of(parseHeads("2 conv 8/4 speechformer").front());
        QCOMPARE(papi.padding, 4);
        QCOMPARE(papi.centre(0), -0.5);
    }

    void aReusedMapAloneHasNoWindow() {
        QVERIFY_EXCEPTION_THROWN(keysOf("4 reuse 1", 0, 5), std::logic_error);
    }
};

HEADROOM_TEST(ReceptiveFieldTest)

} // namespace headroom::testing::receptive_field_test

#include "receptive_field_test.moc"
