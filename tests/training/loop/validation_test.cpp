// SPDX-License-Identifier: GPL-3.0-or-later
#include <ATen/core/Tensor.h>

#include "models/checkpoints/checkpoint.h"
#include "tests/support/runner.h"
#include "tests/training/ranks/at_ranks.h"
#include "training/loop/validation.h"

#include <QtTest>

#include <atomic>
#include <cmath>
#include <set>

namespace headroom::testing::validation_test {

using namespace headroom::training;

namespace {

const std::filesystem::path kDemo = std::filesystem::path(HEADROOM_SOURCE_DIR) / "resources" / "demo";

/// Parts of the demo sentence, in which the demo model hears other words each time.
std::vector<Example> partsOfASentence() {
    std::vector<Example> parts;
    for (const auto& [first, frames] : {std::pair{0, 300}, {60, 240}, {0, 200}, {100, 200}, {120, 180}, {0, 120}, {170, 130}}) {
        Example part;
        part.id = std::to_string(first) + "-" + std::to_string(frames);
        // At 22,050 Hz; the last frame is 15 ms longer than a step.
        part.audio = (kDemo / "demo.wav").string() + ":" + std::to_string(first * 441 / 2) + ":" +
                     std::to_string(frames * 441 / 2 + 331);
        part.frames = frames;
        part.text = "The big man looks for the pictures in the forest at night.";
        part.target = {20, 30, 40};
        parts.push_back(part);
    }
    return parts;
}

} // namespace

class ValidationTest : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Texts and scores are those of one process, and no rank has done all the work.
    void ranksShareAValidation_data() {
        QTest::addColumn<int>("world");
        QTest::addColumn<int>("beams");
        QTest::newRow("two") << 2 << 1;
        QTest::newRow("three") << 3 << 1;
        QTest::newRow("two, which search") << 2 << 3;
    }
    void ranksShareAValidation() {
        QFETCH(int, world);
        QFETCH(int, beams);
        const models::Checkpoint model = models::readCheckpoint(kDemo / "model");
        const Architecture& architecture = model.info.architecture;
        const Tokenizer tokenizer(model.info.tokenizer);
        const std::vector<Example> examples = partsOfASentence();
        DecodingSettings settings;
        settings.beam.beams = beams;
        ValidationOptions how;
        how.recipe.data.maxBatchFrames = 500; // one or two parts
        how.recipe.validation.maxTokens = 40;
        settings.beam.maxNewTokens = 40;
        const auto validated = [&](ValidationOptions options) {
            FeatureCache cache(100, architecture.frontEnd.input());
            const TextDecoder decoder(settings, model.info);
            options.decoder = beams > 1 ? &decoder : nullptr;
            return validate(model.parameters, architecture, examples, cache, tokenizer, options);
        };
        const Validation alone = validated(how);
        QCOMPARE(alone.hypotheses.size(), examples.size());
        std::set<std::string> different;
        for (const Hypothesis& one : alone.hypotheses)
            different.insert(one.text);
        QVERIFY2(different.size() >= 5, std::to_string(different.size()).c_str());

        std::atomic<std::int64_t> shares = 0, largest = 0;
        const std::string problem = atRanks(world, [&](Ranks& ranks) -> std::string {
            ValidationOptions own = how;
            own.ranks = &ranks;
            std::int64_t share = 0;
            own.progress = [&](std::int64_t, std::int64_t total) { share = total; };
            const Validation shared = validated(own);
            shares += share;
            for (std::int64_t before = largest; before < share && !largest.compare_exchange_weak(before, share);) {
            }
            if (shared.hypotheses.size() != alone.hypotheses.size())
                return std::to_string(shared.hypotheses.size()) + " texts";
            for (std::size_t i = 0; i < examples.size(); ++i)
                if (shared.hypotheses[i].example != alone.hypotheses[i].example ||
                    shared.hypotheses[i].text != alone.hypotheses[i].text)
                    return "“" + shared.hypotheses[i].text + "” instead of “" + alone.hypotheses[i].text + "”";
            if (shared.wer != alone.wer || shared.bleu != alone.bleu)
                return "WER " + std::to_string(shared.wer.value_or(-1)) + ", BLEU " + std::to_string(shared.bleu);
            return std::abs(shared.nll - alone.nll) < 1e-9 * alone.nll ? "" : "nll " + std::to_string(shared.nll);
        });
        QVERIFY2(problem.empty(), problem.c_str());
        QVERIFY(alone.wer && *alone.wer > 0 && *alone.wer < 100);
        QCOMPARE(shares.load(), static_cast<std::int64_t>(examples.size()));
        QVERIFY(largest < shares);
    }
};

HEADROOM_TEST(ValidationTest)

} // namespace headroom::testing::validation_test

#include "validation_test.moc"
