// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/architecture/costs.h"
#include "core/architecture/edits.h"

#include <cstdlib>
#include <QtTest>

using namespace headroom;

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
        QVERIFY_EXCEPTION_THROWN(encoderWith("2 full + 2 conv 8/4 speechformer"), Error);
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

    void whatCannotBeCountedIsSaid() {
        auto architecture = small();
        architecture.encoder.kind = "conformer";
        QVERIFY_EXCEPTION_THROWN(parameterCosts(architecture), Error);
        architecture = small();
        architecture.frontEnd.kind = "conv2d";
        QVERIFY_EXCEPTION_THROWN(encoderCosts(architecture, 100), Error);
        architecture = small();
        architecture.encoder.layers[3].heads = parseHeads("4 local 64 block");
        try {
            encoderCosts(architecture, 100);
            QFAIL("counted");
        } catch (const Error& error) {
            QCOMPARE(error.code(), std::string("architecture.kindNotBuilt"));
            QVERIFY(QString(error.what()).contains("4 local 64 block"));
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
                QCOMPARE(costs.attentionMapBytes, 4 * costs.tokens * costs.tokens * 4);
            }
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

QTEST_GUILESS_MAIN(CostsTest)
#include "costs_test.moc"
