// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/loop/validation.h"

#include "training/data/batching.h"
#include "training/loop/batch_loss.h"
#include "training/scoring/bleu.h"
#include "training/scoring/chrf.h"
#include "training/scoring/sclite.h"
#include "training/scoring/ter.h"
#include "training/scoring/word_error_rate.h"

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>

namespace headroom::training {

namespace {

/// This rank's part of the batches.
std::vector<std::vector<std::int64_t>> shareOf(std::vector<std::vector<std::int64_t>> batches, const Ranks* ranks) {
    if (!ranks)
        return batches;
    std::vector<std::vector<std::int64_t>> share;
    for (std::size_t i = static_cast<std::size_t>(ranks->rank()); i < batches.size();
         i += static_cast<std::size_t>(ranks->world()))
        share.push_back(std::move(batches[i]));
    return share;
}

/// Everyone's hypotheses at every rank.
void gatherHypotheses(std::vector<Hypothesis>& hypotheses, Ranks& ranks) {
    auto own = nlohmann::json::array();
    for (const Hypothesis& one : hypotheses)
        own.push_back({one.example, one.text});
    hypotheses.clear();
    // A hypothesis may end in the middle of a character.
    for (const std::string& list :
         ranks.gather(own.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)))
        for (const auto& one : nlohmann::json::parse(list))
            hypotheses.push_back({one[0].get<std::int64_t>(), one[1].get<std::string>(), {}});
}

} // namespace

Validation validate(const models::Parameters& parameters, const Architecture& architecture,
                    const std::vector<Example>& examples, FeatureCache& cache, const Tokenizer& tokenizer,
                    const ValidationOptions& options) {
    const Recipe& recipe = options.recipe;
    const auto count = static_cast<std::int64_t>(examples.size());
    const bool writes = !architecture.languageModel;
    const std::int64_t decoded = !writes ? 0 : options.decoded > 0 ? std::min(options.decoded, count) : count;

    std::vector<std::int64_t> frames;
    for (const Example& example : examples)
        frames.push_back(example.computedFrames());
    const auto order = makeBatches(frames, recipe.data.maxBatchFrames, recipe.data.maxBatchUtterances);
    const auto share = shareOf(order, options.ranks);
    std::int64_t done = 0, own = 0;
    for (const auto& batch : share)
        own += static_cast<std::int64_t>(batch.size());
    BatchLoader loader(examples, cache, share, recipe.data.loaderThreads, architecture.frontEnd.features,
                       nullptr, 0, 0);
    Validation result;
    result.utterances = count;
    double loss = 0, nll = 0, ctc = 0;
    std::int64_t tokens = 0;
    const std::string& by = recipe.validation.best;
    const double ctcWeight = by == "ctc" && architecture.decoder && architecture.ctc ? 1 : 0; // of what is measured only
    bool stopped = false;
    while (const auto batch = loader.next()) {
        if (options.progress)
            options.progress(done, own);
        done += static_cast<std::int64_t>(batch->examples.size());
        stopped = options.stop && options.stop->load();
        if (stopped)
            break;
        {
            const PrecisionScope precision(options.precision);
            PassOptions pass;
            pass.unigram = options.unigram;
            const BatchLoss one =
                batchLoss(parameters, architecture, {recipe.loss.labelSmoothing, ctcWeight}, *batch, false, false, pass);
            loss += one.crossEntropy.lossSum;
            nll += one.crossEntropy.nllSum;
            ctc += one.ctc;
            tokens += one.crossEntropy.tokens;
            if (options.notFinite && !std::isfinite(one.crossEntropy.nllSum))
                options.notFinite(batch->examples);
        }
        const bool wanted = std::any_of(batch->examples.begin(), batch->examples.end(),
                                        [&](std::int64_t index) { return index < decoded; });
        if (!wanted)
            continue;
        if (options.decoder) {
            auto found = decodeBatch(parameters, architecture, *batch, *options.decoder);
            for (std::size_t i = 0; i < found.size(); ++i)
                if (batch->examples[i] < decoded)
                    result.hypotheses.push_back(
                        {batch->examples[i],
                         found[i].empty() ? std::string() : tokenizer.decode(found[i].front().ids),
                         std::move(found[i])});
            continue;
        }
        if (options.scores && !batch->perFrame) {
            auto texts = greedyTexts(parameters, architecture, *batch, recipe.validation.maxTokens, true);
            for (std::size_t i = 0; i < texts.size(); ++i)
                if (batch->examples[i] < decoded)
                    result.hypotheses.push_back({batch->examples[i], tokenizer.decode(texts[i].ids), {std::move(texts[i])}});
            continue;
        }
        const auto ids = greedyBatch(parameters, architecture, *batch, recipe.validation.maxTokens);
        for (std::size_t i = 0; i < ids.size(); ++i)
            if (batch->examples[i] < decoded)
                result.hypotheses.push_back({batch->examples[i], tokenizer.decode(ids[i]), {}});
    }
    if (options.ranks) {
        std::vector<double> sums{loss, nll, static_cast<double>(tokens), stopped ? 1.0 : 0.0, ctc};
        options.ranks->sum(sums);
        loss = sums[0];
        nll = sums[1];
        tokens = static_cast<std::int64_t>(sums[2]);
        stopped = sums[3] > 0;
        ctc = sums[4];
    }
    if (stopped)
        throw Stopped();
    if (options.ranks)
        gatherHypotheses(result.hypotheses, *options.ranks);
    std::sort(result.hypotheses.begin(), result.hypotheses.end(),
              [](const Hypothesis& a, const Hypothesis& b) { return a.example < b.example; });
    const double bits = 1 / (static_cast<double>(std::max<std::int64_t>(tokens, 1)) * std::numbers::ln2);
    result.loss = loss * bits;
    result.nll = nll * bits;
    if (ctcWeight > 0)
        result.ctc = ctc * bits;
    if (!writes) {
        result.perplexity = std::exp2(result.nll);
        return result;
    }

    std::vector<std::string> references, hypotheses;
    for (const Hypothesis& hypothesis : result.hypotheses) {
        references.push_back(examples[static_cast<std::size_t>(hypothesis.example)].text);
        hypotheses.push_back(hypothesis.text);
    }
    result.wer = wordErrorRate(references, hypotheses).percent();
    const Bleu score = bleu(references, hypotheses);
    result.bleu = score.score;
    result.bleuSignature = score.signature;
    if (by == "cer") {
        WordErrors characters;
        for (const ScliteUtterance& one : scliteScoreLines(references, hypotheses, {false, true}))
            characters += one.errors;
        if (characters.referenceWords() > 0)
            result.cer = 100.0 * static_cast<double>(characters.errors()) / static_cast<double>(characters.referenceWords());
    } else if (by == "chrf") {
        result.chrf = chrf(references, hypotheses).score;
    } else if (by == "ter") {
        result.ter = ter(references, hypotheses).score();
    }
    return result;
}

} // namespace headroom::training
