// SPDX-License-Identifier: GPL-3.0-or-later
// Patches of time and frequency (AST): text, tokens, counts, rules.
#include "core/architecture/architecture.h"
#include "core/architecture/costs.h"
#include "core/errors/error.h"
#include "core/features/model_input.h"
#include "tests/core/architecture/document_refusal.h"
#include "tests/support/runner.h"

#include <algorithm>
#include <cmath>

#include <QTest>

namespace headroom::testing::patch_document_test {

namespace {

/// 128 bins and 1,024 frames in patches of 16 × 16 every 10: 12 bands of 101 columns.
std::string patchDocument(const std::string& frontEnd =
                         R"("windowFrames": 1024, "kernels": [16], "strides": [10], "frequencyStride": 10, "classTokens": 2)",
                     const std::string& encoder = R"("kind": "transformer", "positions": "learnt")",
                     const std::string& rest = R"("decoder": null, "ctc": null, "vocabulary": 0)") {
    return R"({ "format": "headroom/architecture", "version": 1, "name": "ast",
      "frontEnd": { "kind": "patches", "input": "ast-log-mel", "features": 128, )" +
           frontEnd + R"( },
      "encoder": { )" +
           encoder + R"(, "width": 8, "feedForward": 5, "layers": [ { "heads": "2 full" } ] }, )" + rest + " }";
}

} // namespace
} // namespace headroom::testing::patch_document_test

namespace headroom::testing::patch_document_test { // moc stumbles over the braces in the texts above

class PatchDocumentTest : public QObject {
    Q_OBJECT

    static void refused(const std::string& text, const char* words) {
        const std::string sentence = documentRefusal(text);
        QVERIFY2(sentence.find(words) != std::string::npos, sentence.c_str());
    }

private Q_SLOTS:
    void whatIsWrittenIsReadAgain() {
        const std::string frontEnd =
            R"("windowFrames": 64, "kernels": [8], "strides": [6], "frequencyStride": 5, "classTokens": 1, )";
        const std::string cmvn = R"("cmvn": { "mean": -4.25, "deviation": 9.5 })";
        const Architecture read = parseArchitecture(patchDocument(frontEnd + cmvn), "a.json");
        const std::string text = canonicalText(read);
        QVERIFY2(text.find(frontEnd + cmvn) != std::string::npos, text.c_str());
        QVERIFY(parseArchitecture(text, "b.json") == read);
        QCOMPARE(canonicalText(parseArchitecture(text, "b.json")), text);
        QCOMPARE(read.frontEnd.cmvn->mean, std::vector<double>(128, -4.25)); // one number for all bins
    }

    void tokensAreColumnsTimesBands() {
        const auto frontEnd = parseArchitecture(patchDocument(), "a.json").frontEnd;
        QCOMPARE(frontEnd.bands(), 12);
        QCOMPARE(frontEnd.computedTokens(50), 12 * 101 + 2); // the whole window and the class tokens
        QCOMPARE(frontEnd.ownTokens(50 + kAstFramesBehind), 12 * 4); // frames 0 … 45
        QCOMPARE(frontEnd.clock().bands(), 12);
        QCOMPARE(frontEnd.input().frameCount(Samples(16000)), Frames(98 + kAstFramesBehind));
        QCOMPARE(frontEnd.input().window(), std::optional<std::int64_t>(1024));
    }

    void bandsHearTheirMelBins() {
        const auto frontEnd = parseArchitecture(patchDocument(), "a.json").frontEnd;
        const auto mel = [](double hertz) { return 1127 * std::log(1 + hertz / 700); };
        const double bin = (mel(8000) - mel(20)) / 129; // from the edge of a triangle to its centre
        for (std::int64_t band = 0; band < 12; ++band) {
            const auto [lowest, highest] = frontEnd.bandHertz(band);
            QVERIFY(std::abs(mel(lowest) - mel(20) - bin * double(10 * band)) < 1e-9);
            QVERIFY(std::abs(mel(highest) - mel(lowest) - bin * 17) < 1e-9); // 16 triangles
        }
    }

    void costsAreThoseOfTheWindow() {
        const Architecture architecture = parseArchitecture(patchDocument(), "a.json");
        const auto costs = parameterCosts(architecture);
        QCOMPARE(costs.frontEndParameters, 16 * 16 * 8 + 8 + 2 * 8);
        const auto part = std::find_if(costs.parts.begin(), costs.parts.end(),
                                       [](const PartCost& one) { return one.part == "positions"; });
        QCOMPARE(part->count, 1214 * 8);
        const auto at = encoderCosts(architecture, 100);
        QCOMPARE(at.tokens, 1214);
        QCOMPARE(at.attentionMacs, 2 * 1214 * 1214 * 8);
        QCOMPARE(at.macParts.front().count, 1212 * 16 * 16 * 8);
    }

    void whatDoesNotFitIsRefused() {
        const auto frontEnd = [](const char* kernels, const char* strides, int across, int classes) {
            return R"("windowFrames": 1024, "kernels": )" + std::string(kernels) + R"(, "strides": )" + strides +
                   R"(, "frequencyStride": )" + std::to_string(across) + R"(, "classTokens": )" + std::to_string(classes);
        };
        refused(patchDocument(frontEnd("[16, 3]", "[10, 1]", 10, 2)), "one convolution");
        refused(patchDocument(frontEnd("[16]", "[17]", 10, 2)), "strides");
        refused(patchDocument(frontEnd("[16]", "[10]", 17, 2)), "frequencyStride");
        refused(patchDocument(frontEnd("[16]", "[10]", 10, 3)), "classTokens");
        refused(patchDocument(R"("windowFrames": 15, "kernels": [16], "strides": [10], "frequencyStride": 10, "classTokens": 2)"),
                "does not fit into 15 frames of 128 features");
        refused(patchDocument(frontEnd("[16]", "[10]", 10, 2) + R"(, "norm": "batch")"), "norm");
    }

    void theyNeedLearntPositionsAndStandAlone() {
        const std::string usual =
            R"("windowFrames": 1024, "kernels": [16], "strides": [10], "frequencyStride": 10, "classTokens": 2)";
        refused(patchDocument(usual, R"("kind": "transformer", "positions": "sinusoidal")"), "need the positions “learnt”");
        refused(patchDocument(usual, R"("kind": "conformer", "convolution": { "kernel": 3, "norm": "batch" }, "positions": "learnt")"),
                "of kind “transformer”");
        refused(patchDocument(usual, R"("kind": "transformer", "positions": "learnt")", R"("ctc": 7, "vocabulary": 0)"),
                "has no decoder, CTC output or length adapter");
        std::string other = patchDocument();
        const std::string front = other.substr(other.find("\"frontEnd\""), other.find("\"encoder\"") - other.find("\"frontEnd\""));
        other.replace(other.find(front), front.size(), R"("frontEnd": { "kind": "linear", "features": 80 }, )");
        refused(other, "belong to the front end “patches”");
    }

    void featuresFillTheWindowWithZeros() {
        ModelInput input = parseArchitecture(patchDocument(), "a.json").frontEnd.input();
        const std::vector<float> silence(1200);
        const Matrix<float> bare = modelFeatures(silence, input);
        QCOMPARE(bare.rows(), std::size_t(6 + 1));
        QCOMPARE(bare(0, 5), static_cast<float>(std::log(1.192092955078125e-07))); // the floor
        QCOMPARE(bare(6, 5), 0.0F);
        input.cmvn = GlobalCmvn{std::vector<double>(128, -4), std::vector<double>(128, 8)};
        const Matrix<float> normalised = modelFeatures(silence, input);
        QCOMPARE(normalised(6, 5), 0.5F); // a filled row is normalised, too
        QVERIFY(std::abs(double(normalised(0, 5)) - (std::log(1.192092955078125e-07) + 4) / 8) < 1e-6);
    }
};

HEADROOM_TEST(PatchDocumentTest)

} // namespace headroom::testing::patch_document_test

#include "patch_document_test.moc"
