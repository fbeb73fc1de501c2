// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/costs.h"
#include "core/architecture/edits.h"
#include "tests/support/runner.h"

#include <cstdlib>
#include <QtTest>

namespace headroom::testing::costs_test {

class CostsTest : public QObject {
    Q_OBJECT

private:
    static Architecture small(int vocabulary = 8000) {
        Architecture result;
        result.vocabulary = vocabulary;
        result.encoder.layers.assign(12, {parseHeads("4 full")});
        result.decoder.emplace();
        result.decoder->selfAttention = parseHeads("4 masked");
        result.decoder->crossAttention = parseHeads("4 full");
        return result;
    }

    static Architecture conformer() {
        Architecture result;
        result.frontEnd.kind = FrontEndKind::Conv2d;
        result.frontEnd.scaled = false;
        result.frontEnd.planes = {256, 256};
        result.frontEnd.kernels = {3, 3};
        result.frontEnd.activation = FrontEndActivation::Relu;
        result.frontEnd.norm = FrontEndNorm::Batch;
        result.encoder.kind = EncoderKind::Conformer;
        result.encoder.positions = Positions::Relative;
        result.encoder.feedForward = 1024;
        result.encoder.convolution.emplace();
        result.encoder.layers.assign(16, {parseHeads("4 full suppressed 0.5")});
        result.ctc = 128;
        result.publishedWithoutFrontEnd = true;
        return result;
    }

    static std::int64_t encoderWith(const char* heads) {
        auto architecture = small();
        architecture.encoder.layers.back().heads = parseHeads(heads);
        return parameterCosts(architecture).encoderParameters;
    }

private Q_SLOTS:
    void theSmallModelHasItsPublishedParts() {
        QCOMPARE(parameterCosts(small()).parameters, std::int64_t(31072256));
        QCOMPARE(parameterCosts(small()).encoderParameters, std::int64_t(17503232));
        QCOMPARE(parameterCosts(small(5000)).parameters, std::int64_t(29536256));
        auto shorter = small();
        shorter.encoder.layers.pop_back();
        QCOMPARE(parameterCosts(small()).encoderParameters - parameterCosts(shorter).encoderParameters,
                 std::int64_t(1315072));
        shorter = small();
        shorter.decoder->layers = 5;
        QCOMPARE(parameterCosts(small()).decoderParameters - parameterCosts(shorter).decoderParameters,
                 std::int64_t(1578752));
        // What is left of the encoder are the convolutions and the final LayerNorm.
        QCOMPARE(parameterCosts(small()).encoderParameters - 12 * 1315072 - 2 * 256, std::int64_t(1721856));
    }

    void theDemoModelIsCountedAsItsFileHasIt() {
        Architecture demo;
        demo.vocabulary = 256;
        demo.frontEnd.channels = 256;
        demo.encoder.width = 128;
        demo.encoder.feedForward = 512;
        demo.encoder.layers.assign(8, {parseHeads("4 full")});
        demo.decoder.emplace();
        demo.decoder->layers = 2;
        demo.decoder->width = 128;
        demo.decoder->feedForward = 512;
        QCOMPARE(parameterCosts(demo).parameters, std::int64_t(2448128));
    }

    void windowsCostNothing() {
        QCOMPARE(encoderWith("4 local 17"), encoderWith("4 full"));
        QCOMPARE(encoderWith("4 local 64 block"), encoderWith("4 full"));
    }

    void convolutionsInHeadsAreCountedPerGroup() {
        const auto full = encoderWith("4 full");
        QCOMPARE(encoderWith("2 full + 2 conv 5/2") - full, std::int64_t(768));
        QCOMPARE(encoderWith("4 conv 5/2") - full, std::int64_t(768));
        QCOMPARE(encoderWith("2 conv 5/2 + 2 conv 5/2") - full, std::int64_t(1536));
        QCOMPARE(encoderWith("2 full + 2 conv 5/2 normal") - full, std::int64_t(41088));
        QCOMPARE(encoderWith("2 full + 2 conv 5/2 separable") - full, std::int64_t(768 + 2 * (64 * 64 + 64)));
        QCOMPARE(encoderWith("4 conv 8/4 speechformer") - full, std::int64_t(2 * 256 * 256 * 8 + 2 * 256));
    }

    void biasesAndReuseAreCounted() {
        auto architecture = small();
        architecture.encoder.queryKeyValueBias = false;
        QCOMPARE(parameterCosts(small()).parameters - parameterCosts(architecture).parameters,
                 std::int64_t(12 * 3 * 256));
        // Gone: query and key. More: the second half of V and of W_O.
        QCOMPARE(encoderWith("4 reuse 1") - encoderWith("4 full"),
                 std::int64_t(-2 * (256 * 256 + 256) + (256 * 256 + 256) + 256 * 256));
        architecture = small();
        architecture.ctc = 128;
        QCOMPARE(parameterCosts(architecture).parameters - parameterCosts(small()).parameters,
                 std::int64_t(256 * 128 + 128));
    }

    void theConformerOfShimIsExact() {
        const auto baseline = conformer();
        QCOMPARE(parameterCosts(baseline).comparableParameters, std::int64_t(25452672));
        QCOMPARE(parameterCosts(baseline).frontEndParameters,
                 std::int64_t(256 * 9 + 256 + 512 + 256 * 256 * 9 + 256 + 512 + 256 * 20 * 256 + 256));
        auto reusing = baseline;
        for (const int number : {2, 3, 4})
            reusing.encoder.layers[static_cast<std::size_t>(number) - 1].heads = parseHeads("4 reuse 1");
        QCOMPARE(parameterCosts(baseline).parameters - parameterCosts(reusing).parameters,
                 std::int64_t(3 * 66304));
        auto fairseq = baseline;
        fairseq.encoder.convolution->bias = false;
        QCOMPARE(parameterCosts(baseline).parameters - parameterCosts(fairseq).parameters,
                 std::int64_t(16 * (512 + 256)));
        auto normed = baseline;
        normed.encoder.convolution->norm = ConvolutionNorm::Layer; // as many numbers
        QCOMPARE(parameterCosts(normed).parameters, parameterCosts(baseline).parameters);
    }

    void languageModelsAreCounted() {
        Architecture model;
        model.vocabulary = 5000;
        model.languageModel.emplace();
        model.languageModel->kind = LanguageModelKind::Lstm;
        model.languageModel->layers = 4;
        model.languageModel->width = 800;
        model.languageModel->tiedEmbeddings = true;
        QCOMPARE(parameterCosts(model).parameters, std::int64_t(24505600));
        QCOMPARE(encoderCosts(model, 10).macs, std::int64_t(10 * (4 * 8 * 640000 + 4000000)));
        model.languageModel->tiedEmbeddings = false;
        QCOMPARE(parameterCosts(model).parameters, std::int64_t(28505600));
        model.languageModel.emplace();
        model.languageModel->layers = 16;
        model.languageModel->tiedEmbeddings = true;
        model.vocabulary = 1000;
        QCOMPARE(parameterCosts(model).parameters, std::int64_t(50951168));
    }

    void otherDecodersAndFrontEndsAreCounted() {
        auto tied = small();
        tied.decoder->tiedEmbeddings = true;
        QCOMPARE(parameterCosts(small()).parameters - parameterCosts(tied).parameters,
                 std::int64_t(8000 * 256));
        auto post = small();
        post.decoder->norm = NormPlace::Post;
        QCOMPARE(parameterCosts(small()).decoderParameters - parameterCosts(post).decoderParameters,
                 std::int64_t(512));
        auto relu = small();
        relu.frontEnd.activation = FrontEndActivation::Relu;
        relu.frontEnd.norm = FrontEndNorm::Batch;
        relu.frontEnd.projection = true;
        QCOMPARE(parameterCosts(relu).frontEndParameters,
                 std::int64_t(80 * 1024 * 5 + 3 * 1024 + 1024 * 256 * 5 + 3 * 256 + 256 * 256 + 256));
        std::int64_t sum = 0;
        for (const auto& part : parameterCosts(tied).parts)
            sum += part.count;
        QCOMPARE(sum, parameterCosts(tied).parameters);
    }

    void whatCannotBeCountedIsSaid() {
        auto architecture = small();
        architecture.encoder.layers[2].heads = parseHeads("2 full + 2 conv 5/2");
        architecture.encoder.layers[3].heads = parseHeads("4 reuse 3");
        for (const bool atLength : {false, true})
            try {
                if (atLength)
                    encoderCosts(architecture, 100);
                else
                    parameterCosts(architecture);
                QFAIL("counted");
            } catch (const Error& error) {
                QCOMPARE(error.code(), std::string("architecture.kindNotBuilt"));
                QVERIFY(QString(error.what()).contains("layer 4, “4 reuse 3”: layer 3 has conv heads"));
            }
    }

    void pairsAreThoseOfTheMask() {
        for (const std::int64_t frames : {1, 4, 5, 98, 665, 4208})
            for (const int window : {1, 3, 17, 21, 2001}) {
                auto architecture = small();
                architecture.encoder.layers = {{parseHeads("3 full + 1 local " + std::to_string(window))}};
                const auto costs = encoderCosts(architecture, frames);
                QCOMPARE(costs.tokens, architecture.frontEnd.clock().tokenCount(Frames(frames)).value());
                std::int64_t pairs = 0;
                for (std::int64_t i = 0; i < costs.tokens; ++i)
                    for (std::int64_t j = 0; j < costs.tokens; ++j)
                        pairs += 3 + (std::abs(i - j) <= window / 2);
                QCOMPARE(costs.attentionMacs, 2 * 64 * pairs);
                const auto band = std::min<std::int64_t>(
                    window / 2 < costs.tokens - 1 ? window : costs.tokens, 2 * costs.tokens - 1);
                QCOMPARE(costs.attentionMapBytes, 4 * costs.tokens * (3 * costs.tokens + band));
            }
    }

    void compressedKeysAreTheReferences() {
        for (const auto& [tokens, keys] :
             std::vector<std::pair<int, int>>{{166, 82}, {167, 83}, {5, 2}, {6, 2}, {7, 3}, {1, 1}, {2, 1}}) {
            auto architecture = small();
            architecture.encoder.layers = {{parseHeads("4 conv 5/2")}};
            const auto costs = encoderCosts(architecture, 4 * (tokens - 1) + 1);
            QCOMPARE(costs.tokens, std::int64_t(tokens));
            QCOMPARE(costs.attentionMacs, std::int64_t(2) * 256 * tokens * keys);
            QCOMPARE(costs.attentionMapBytes, std::int64_t(4) * 4 * tokens * keys);
        }
    }

    void blocksSeeThemselvesAndTheirNeighbours() {
        auto architecture = small();
        for (const int tokens : {1, 20, 21, 22, 63, 166})
            for (const int window : {3, 5, 64}) {
                architecture.encoder.layers = {{parseHeads("4 local " + std::to_string(window) + " block")}};
                const int size = window / 3;
                std::int64_t pairs = 0;
                for (int i = 0; i < tokens; ++i)
                    for (int j = 0; j < tokens; ++j)
                        pairs += std::abs(i / size - j / size) <= 1;
                const auto costs = encoderCosts(architecture, 4 * (tokens - 1) + 1);
                QCOMPARE(costs.attentionMacs, 2 * 256 * pairs);
            }
    }

    void aMaskedQuerySeesThePast() {
        auto architecture = small();
        architecture.encoder.layers = {{parseHeads("4 masked")}};
        QCOMPARE(encoderCosts(architecture, 4 * 9 + 1).attentionMacs, std::int64_t(2 * 256 * 55));
    }

    void aWindowCutsThePast() {
        auto architecture = small();
        for (const int tokens : {1, 4, 10, 40})
            for (const int window : {1, 5, 19, 81}) {
                architecture.encoder.layers = {{parseHeads("4 masked " + std::to_string(window))}};
                std::int64_t pairs = 0;
                for (int i = 0; i < tokens; ++i)
                    for (int j = 0; j <= i; ++j)
                        pairs += i - j <= window / 2;
                const auto costs = encoderCosts(architecture, 4 * (tokens - 1) + 1);
                QCOMPARE(costs.attentionMacs, 2 * 256 * pairs);
                QCOMPARE(costs.attentionMapBytes,
                         std::int64_t(4) * 4 * tokens * std::min(window, tokens)); // a band, or a map
            }
    }

    void reuseScoresNothingAndMixesTwiceAsMuch() {
        auto architecture = small();
        architecture.encoder.layers = {{parseHeads("4 local 17")}, {parseHeads("4 reuse 1")}};
        const auto costs = encoderCosts(architecture, 4 * 165 + 1);
        QCOMPARE(costs.layers.at(1).attentionMacs, costs.layers.at(0).attentionMacs);
        QCOMPARE(costs.layers.at(1).attentionMapBytes, std::int64_t(0));
        QVERIFY(costs.layers.at(1).activationBytes > 0);
        std::int64_t sum = 0;
        for (const auto& part : costs.macParts)
            sum += part.count;
        QCOMPARE(sum, costs.macs);
    }

    void windowsSaveMemory() {
        auto architecture = small();
        const auto full = encoderCosts(architecture, 4208);
        for (auto& layer : architecture.encoder.layers)
            layer.heads = parseHeads("4 local 21");
        const auto local = encoderCosts(architecture, 4208);
        QCOMPARE(local.attentionMapBytes, std::int64_t(12) * 4 * 1052 * 21 * 4);
        QVERIFY(local.activationBytes < full.activationBytes / 2);
    }

    void theWholeEncoderIsTheSumOfItsParts() {
        const auto costs = encoderCosts(small(), 98);
        QCOMPARE(costs.tokens, std::int64_t(25));
        const std::int64_t convolutions = 49LL * 80 * 1024 * 5 + 25LL * 512 * 512 * 5;
        const std::int64_t layer = 25LL * 4 * 256 * 256 + 25LL * 2 * 256 * 2048 + 2LL * 25 * 25 * 256;
        QCOMPARE(costs.macs, convolutions + 12 * layer);
        QVERIFY_EXCEPTION_THROWN(encoderCosts(small(), 0), std::invalid_argument);
    }
};

HEADROOM_TEST(CostsTest)

} // namespace headroom::testing::costs_test

#include "costs_test.moc"
