// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "core/text/tokenizer.h"
#include "models/layers/parameters.h"
#include "training/data/examples.h"
#include "training/data/feature_cache.h"
#include "training/ranks/ranks.h"
#include "training/decoding/text_decoder.h"

#include <atomic>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace headroom::training {

struct Hypothesis {
    std::int64_t example; ///< index into the set
    std::string text;
    std::vector<TextHypothesis> best; ///< of a search, best first; of greedy decoding one with `scores`, else empty
};

/// The scores of a model on a split.
struct Validation {
    double loss = 0, nll = 0;  ///< bits per piece; loss with label smoothing
    std::optional<double> wer; ///< per cent; `nullopt` if no reference has a word
    double bleu = 0;           ///< 0 … 100
    std::optional<double> perplexity; ///< of a language model, per token with </s>: 2^nll. It has no WER and no BLEU
    std::string bleuSignature;
    /// Only the one that the recipe's `validation.best` names: per cent; 0 … 100; per cent; bits per piece.
    std::optional<double> cer, chrf, ter, ctc;
    std::int64_t utterances = 0;        ///< of the set, all of which the losses are of
    std::vector<Hypothesis> hypotheses; ///< in corpus order; what WER and the other scores of texts are of
};

struct ValidationOptions {
    Recipe recipe; ///< its batches, loss and validation
    std::string precision = "fp32";
    std::int64_t decoded = 0;                ///< utterances to decode, from the first; 0: all
    const std::atomic<bool>* stop = nullptr; ///< ends early, with Stopped
    Ranks* ranks = nullptr;                  ///< share the work; every rank gets the whole result
    const TextDecoder* decoder = nullptr;    ///< the search; null: greedy decoding
    bool scores = false;                     ///< keeps ids and scores of greedy decoding, on one rank
    const std::vector<double>* unigram = nullptr; ///< of the training texts (unigram.h); null: smoothing is uniform
    /// Called after each batch of this rank with the utterances done so far and all of its own.
    std::function<void(std::int64_t done, std::int64_t total)> progress = {};
    /// Called with the examples of a batch of this rank whose loss is NaN or infinite, before they are decoded. It may throw.
    std::function<void(const std::vector<std::int64_t>& examples)> notFinite = {};
};

/// Thrown if `stop` was set.
struct Stopped {};

/// Computes the loss over the whole set without dropout or augmentation, decodes, and computes WER (fairseq's
/// rule) and BLEU; a language model is not decoded and has a perplexity instead.
Validation validate(const models::Parameters& parameters, const Architecture& architecture,
                    const std::vector<Example>& examples, FeatureCache& cache, const Tokenizer& tokenizer,
                    const ValidationOptions& options);

} // namespace headroom::training
