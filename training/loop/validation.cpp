// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/validation.h"

#include "training/data/batching.h"
#include "training/loop/batch_loss.h"
#include "training/scoring/bleu.h"
#include "training/scoring/word_error_rate.h"

#include <algorithm>
#include <numbers>

namespace headroom::training {

Validation validate(const models::Parameters& parameters, const Architecture& architecture,
                    const std::vector<Example>& examples, FeatureCache& cache, const Tokenizer& tokenizer,
                    const ValidationOptions& options) {
    const Recipe& recipe = options.recipe;
    const auto count = static_cast<std::int64_t>(examples.size());
    const std::int64_t decoded = options.decoded > 0 ? std::min(options.decoded, count) : count;

    std::vector<std::int64_t> frames;
    for (const Example& example : examples)
        frames.push_back(example.frames);
    const auto order = makeBatches(frames, recipe.data.maxBatchFrames, recipe.data.maxBatchUtterances);
    BatchLoader loader(examples, cache, order, recipe.data.loaderThreads, architecture.frontEnd.features,
                       nullptr, 0, 0);
    Validation result;
    double loss = 0, nll = 0;
    std::int64_t tokens = 0;
    while (const auto batch = loader.next()) {
        if (options.stop && options.stop->load())
            throw Stopped();
        {
            const PrecisionScope precision(options.precision);
            const BatchLoss one =
                batchLoss(parameters, architecture, {recipe.loss.labelSmoothing, 0}, *batch, false, false);
            loss += one.crossEntropy.lossSum;
            nll += one.crossEntropy.nllSum;
            tokens += one.crossEntropy.tokens;
        }
        const bool wanted = std::any_of(batch->examples.begin(), batch->examples.end(),
                                        [&](std::int64_t index) { return index < decoded; });
        if (!wanted)
            continue;
        const auto ids = greedyBatch(parameters, architecture, *batch, recipe.validation.maxTokens);
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (batch->examples[i] < decoded)
                result.hypotheses.push_back({batch->examples[i], tokenizer.decode(ids[i])});
    }
    std::sort(result.hypotheses.begin(), result.hypotheses.end(),
              [](const Hypothesis& a, const Hypothesis& b) { return a.example < b.example; });
    const double bits = 1 / (static_cast<double>(std::max<std::int64_t>(tokens, 1)) * std::numbers::ln2);
    result.loss = loss * bits;
    result.nll = nll * bits;

    std::vector<std::string> references, hypotheses;
    for (const Hypothesis& hypothesis : result.hypotheses) {
        references.push_back(examples[static_cast<std::size_t>(hypothesis.example)].text);
        hypotheses.push_back(hypothesis.text);
    }
    result.wer = wordErrorRate(references, hypotheses).percent();
    const Bleu score = bleu(references, hypotheses);
    result.bleu = score.score;
    result.bleuSignature = score.signature;
    return result;
}

} // namespace headroom::training
