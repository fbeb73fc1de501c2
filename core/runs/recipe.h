// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/length_limits.h"
#include "core/errors/error.h"
#include "core/text/longest_text.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// How a model is trained: everything except the data and the architecture, in one document with every value.
/// Keys, ranges and meanings: recipeFields(). A value.
struct Recipe {
    struct Data {
        std::string trainSplit = "train", validationSplit = "dev";
        std::int64_t minFrames = 5, maxFrames = 3000; ///< of an utterance; outside: left out of training
        std::int64_t maxBatchFrames = 40000;          ///< longest utterance × utterances of a batch
        std::int64_t maxBatchUtterances = 0;          ///< 0: no limit
        std::int64_t loaderThreads = 2;               ///< the result does not depend on it
        std::int64_t cacheMegabytes = 2048;           ///< features kept in memory
        std::string unknownPieces = "refuse";         ///< "refuse" | "keep": text that becomes <unk>
        std::string cmvn = "utterance";               ///< "utterance" | "global": of all training data, stored with the model
        /// The lengths that runs keep. Validation leaves out only what does not fit into a batch, which holds at least one utterance.
        SplitLimits limits() const {
            return {{minFrames, maxFrames}, {minFrames, maxBatchFrames}, validationSplit == trainSplit ? std::string() : validationSplit};
        }
        bool operator==(const Data&) const = default;
    } data;
    struct Augmentation { ///< SpecAugment, as in fairseq
        std::int64_t frequencyMasks = 1, frequencyWidth = 27, timeMasks = 1, timeWidth = 100;
        double timeShare = 1;
        double timeMasksShare = 0; ///< 0: always timeMasks; otherwise min(timeMasks, ⌊this · frames⌋) (Park et al. 2020)
        bool operator==(const Augmentation&) const = default;
    } augmentation;
    struct Loss {
        double labelSmoothing = 0.1;
        double ctcWeight = 0; ///< × CTC on the encoder's output, added; 0: no CTC
        double tokenCutoff = 0;  ///< share of tokens cut in a second pass (Shen et al. 2020); 0: no such pass
        double cutoffWeight = 5; ///< × its divergence
        double rDrop = 0;        ///< × divergence of two passes with other dropout (Liang et al. 2021); 0: one pass
        std::string smoothing = "uniform"; ///< "uniform" | "unigram": towards the frequencies of the training labels
        double unigramCount = 1;           ///< added to the count of every label
        std::string scheduledSampling = "1";    ///< trueTokenShares()
        std::int64_t scheduledSamplingFrom = 1; ///< epoch of the first share
        bool operator==(const Loss&) const = default;
    } loss;
    struct Optimiser {
        std::string kind = "adam"; ///< "adam": ε after the bias correction; "adam-fairseq": before it
        double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, weightDecay = 0;
        double learningRate = 2e-3; ///< at the end of the warm-up
        std::int64_t warmupUpdates = 10000;
        double clipNorm = 10; ///< of the gradient per target token; 0: never
        std::int64_t accumulate = 1;
        std::string schedule = "inverse-sqrt"; ///< after the warm-up and the hold: training/loop/schedule.h
        double initialFactor = 0;              ///< × learningRate, where the warm-up begins
        std::int64_t holdUpdates = 0;          ///< at learningRate, after the warm-up
        std::int64_t decayUpdates = 0;         ///< after the hold; 0: what is left of length.maxUpdates
        double finalFactor = 0.01;             ///< × learningRate, where the decay ends
        std::int64_t plateauPatience = 0;      ///< "plateau": validations without improvement that are waited for
        double plateauFactor = 0.5;            ///< "plateau": × the learning rate each time
        std::int64_t freezeEncoderUpdates = 0; ///< the encoder does not learn in these first updates
        double weightNoise = 0;                ///< standard deviation of noise on the weights, after the warm-up
        double encoderLayerDrop = 0, decoderLayerDrop = 0; ///< P that an update leaves a layer out (Fan et al. 2020)
        double stochasticDepth = 0; ///< the same for the last layer, falling to the first (Huang et al. 2016)
        std::int64_t relaxationWarmupUpdates = 0; ///< γ of relaxed attention rises from 0 to the architecture's; 0: it is that at once
        bool operator==(const Optimiser&) const = default;
    } optimiser;
    struct Length {
        std::int64_t maxUpdates = 100000;
        std::int64_t maxEpochs = 0; ///< 0: no limit
        std::int64_t patience = 0;  ///< validations without improvement before early stopping; 0: never
        bool operator==(const Length&) const = default;
    } length;
    struct Validation {
        std::int64_t everyUpdates = 0, everyEpochs = 1; ///< 0: not counted
        std::string best = "loss"; ///< "loss" | "nll" | "ctc" | "wer" | "cer" | "bleu" | "chrf" | "ter": the criterion of `best`
        std::int64_t maxUtterances = 0;                 ///< utterances to decode; 0: all
        std::int64_t maxTokens = kLongestText;          ///< of a hypothesis
        std::int64_t samples = 5;                       ///< written into samples/
        bool operator==(const Validation&) const = default;
    } validation;
    struct Checkpoints {
        std::int64_t everyUpdates = 0; ///< 0: at every validation only
        std::int64_t keep = 10;        ///< how many of the newest are kept, besides the best
        std::int64_t average = 10;     ///< the final model is the mean of this many last ones; 1: the best
        std::int64_t statisticsBatches = 0; ///< BatchNorm's statistics of that mean are taken from these; 0: averaged too
        bool operator==(const Checkpoints&) const = default;
    } checkpoints;
    struct Machine {
        std::string precision = "fp32"; ///< "fp32" | "bf16" | "auto"
        std::int64_t threads = 0;       ///< 0: all processors available to this process
        std::int64_t seed = 1;
        std::int64_t logEvery = 10; ///< updates between two lines of events.jsonl
        std::string device = "cpu"; ///< what `train` computes on without --device: "auto" | "cpu" | "cuda" | "cuda:K"
        bool operator==(const Machine&) const = default;
    } machine;

    std::string name, source;
    std::string task = "asr"; ///< of the corpus: SPLIT_TASK
    bool operator==(const Recipe&) const = default;
};

/// One value of a recipe, for reading, writing, overriding and for a form on screen.
struct RecipeField {
    enum class Kind { Text, Word, Whole, Real };
    std::string_view key; ///< dotted: "optimiser.learningRate"
    Kind kind;
    double least = 0, most = 0;          ///< of numbers, both inclusive
    std::vector<std::string_view> words; ///< of Kind::Word
    std::string_view meaning;            ///< one line, with the unit
    nlohmann::json (*get)(const Recipe&);
    void (*set)(Recipe&, const nlohmann::json&); ///< takes a validated value
    /// Came after the first recipes: a document without it has the default, which is what was done before.
    bool optional = false;
};
/// The fields in document order.
const std::vector<RecipeField>& recipeFields();

/// Reads and validates a recipe. Every key that is not optional is required once and must be in range; other
/// keys are errors.
/// Throws Error "recipe.…", which names `name`, the key and the nearest correct text.
Recipe parseRecipe(std::string_view json, const std::string& name);
Recipe readRecipe(const std::filesystem::path& file);

/// The probabilities of loss.scheduledSampling, one per epoch from loss.scheduledSamplingFrom on, that the decoder reads
/// the text's own token; the last one holds for all later epochs. Throws Error "recipe.value" for other text.
std::vector<double> trueTokenShares(const Recipe::Loss& loss);

/// Applies `--set optimiser.learningRate=1e-3`; the value is JSON. Throws Error "recipe.…".
void overrideRecipe(Recipe& recipe, const std::string& assignment);

/// Returns the canonical text: fixed order, one value per line, shortest numbers, without optional keys that
/// have their default. Read and written again, it gives the same bytes.
std::string canonicalText(const Recipe& recipe);

/// A key whose value differs between two recipes, with both values as JSON text.
struct RecipeDifference {
    std::string key, left, right;
};
std::vector<RecipeDifference> differences(const Recipe& left, const Recipe& right);

} // namespace headroom
