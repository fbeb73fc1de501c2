// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/recipe.h"

namespace headroom {

using nlohmann::json;

namespace {

using Kind = RecipeField::Kind;
using Words = std::vector<std::string_view>;

/// A member of a member, as a pair of functions that need no state.
template <auto group, auto member>
json getOf(const Recipe& recipe) {
    return recipe.*group.*member;
}
template <auto group, auto member>
void setOf(Recipe& recipe, const json& value) {
    auto& place = recipe.*group.*member;
    place = value.get<std::remove_reference_t<decltype(place)>>();
}

template <auto group, auto member>
RecipeField whole(std::string_view key, double least, double most, std::string_view meaning) {
    return {key, Kind::Whole, least, most, {}, meaning, &getOf<group, member>, &setOf<group, member>};
}
template <auto group, auto member>
RecipeField real(std::string_view key, double least, double most, std::string_view meaning) {
    return {key, Kind::Real, least, most, {}, meaning, &getOf<group, member>, &setOf<group, member>};
}
template <auto group, auto member>
RecipeField text(std::string_view key, Words words, std::string_view meaning) {
    const Kind kind = words.empty() ? Kind::Text : Kind::Word;
    return {key, kind, 0, 0, std::move(words), meaning, &getOf<group, member>, &setOf<group, member>};
}
/// A field that recipes written before it do not have.
RecipeField later(RecipeField field) {
    field.optional = true;
    return field;
}
template <auto member>
RecipeField top(std::string_view key, std::string_view meaning) {
    return {key,
            Kind::Text,
            0,
            0,
            {},
            meaning,
            [](const Recipe& recipe) { return json(recipe.*member); },
            [](Recipe& recipe, const json& value) { recipe.*member = value.get<std::string>(); }};
}

constexpr double kMany = 1e9; // updates, frames …: a limit against slips of the keyboard, not of the machine

std::vector<RecipeField> makeFields() {
    using R = Recipe;
    return {
        top<&R::name>("name", "name of the recipe"),
        top<&R::source>("source", "source of its values"),
        top<&R::task>("task", "task of the corpus: the files SPLIT_TASK.tsv"),

        text<&R::data, &R::Data::trainSplit>("data.trainSplit", {}, "split to train on"),
        text<&R::data, &R::Data::validationSplit>("data.validationSplit", {}, "split to validate on"),
        whole<&R::data, &R::Data::minFrames>("data.minFrames", 1, kMany,
                                             "shorter utterances are left out (10 ms frames)"),
        whole<&R::data, &R::Data::maxFrames>("data.maxFrames", 1, kMany,
                                             "longer utterances are left out of training (10 ms frames)"),
        whole<&R::data, &R::Data::maxBatchFrames>("data.maxBatchFrames", 1, kMany,
                                                  "maximum frames of a batch: longest utterance × "
                                                  "utterances"),
        whole<&R::data, &R::Data::maxBatchUtterances>("data.maxBatchUtterances", 0, kMany,
                                                      "maximum utterances of a batch; 0: no limit"),
        whole<&R::data, &R::Data::loaderThreads>("data.loaderThreads", 1, 64,
                                                 "threads that prepare batches; no effect on the result"),
        whole<&R::data, &R::Data::cacheMegabytes>("data.cacheMegabytes", 0, 1e7,
                                                  "features cached in memory, MB; others are recomputed"),
        text<&R::data, &R::Data::unknownPieces>("data.unknownPieces", {"refuse", "keep"},
                                                "text that the SentencePiece model cannot write"),
        later(text<&R::data, &R::Data::cmvn>("data.cmvn", {"utterance", "global"},
                                             "mean and variance of each utterance, or of the training data, stored with the model")),

        whole<&R::augmentation, &R::Augmentation::frequencyMasks>("augmentation.frequencyMasks", 0, 100,
                                                                  "SpecAugment: masks over mel bins"),
        whole<&R::augmentation, &R::Augmentation::frequencyWidth>(
            "augmentation.frequencyWidth", 0, 1000, "width sampled from 0 … this − 1 (bins)"),
        whole<&R::augmentation, &R::Augmentation::timeMasks>("augmentation.timeMasks", 0, 100,
                                                             "SpecAugment: masks over time"),
        whole<&R::augmentation, &R::Augmentation::timeWidth>(
            "augmentation.timeWidth", 0, kMany, "width sampled from 0 … this − 1 (frames)"),
        real<&R::augmentation, &R::Augmentation::timeShare>(
            "augmentation.timeShare", 0, 1, "maximum width as a share of the utterance"),
        later(real<&R::augmentation, &R::Augmentation::timeMasksShare>(
            "augmentation.timeMasksShare", 0, 1,
            "adaptive SpecAugment: at most this × frames masks over time; 0: always timeMasks")),

        real<&R::loss, &R::Loss::labelSmoothing>("loss.labelSmoothing", 0, 0.99, "ε of the label smoothing"),
        real<&R::loss, &R::Loss::ctcWeight>("loss.ctcWeight", 0, 100,
                                            "weight of CTC on the encoder, added to the loss; 0: none"),
        later(real<&R::loss, &R::Loss::tokenCutoff>(
            "loss.tokenCutoff", 0, 0.99, "share of tokens cut from source and target in a second pass; 0: none")),
        later(real<&R::loss, &R::Loss::cutoffWeight>("loss.cutoffWeight", 0, 1000,
                                                     "weight of the divergence of the cut pass")),
        later(real<&R::loss, &R::Loss::rDrop>(
            "loss.rDrop", 0, 1000, "R-Drop: weight of the divergence of two passes; 0: one pass")),
        later(text<&R::loss, &R::Loss::smoothing>(
            "loss.smoothing", {"uniform", "unigram"},
            "label smoothing towards all labels alike, or by their frequency in the training texts (Espresso)")),
        later(real<&R::loss, &R::Loss::unigramCount>("loss.unigramCount", 0, kMany,
                                                     "unigram: added to the count of every label")),
        later(text<&R::loss, &R::Loss::scheduledSampling>(
            "loss.scheduledSampling", {},
            "probability that the decoder reads the true token and not its own, for each epoch; the last one stays")),
        later(whole<&R::loss, &R::Loss::scheduledSamplingFrom>("loss.scheduledSamplingFrom", 1, kMany,
                                                               "epoch in which scheduled sampling begins")),

        text<&R::optimiser, &R::Optimiser::kind>(
            "optimiser.kind", {"adam", "adam-fairseq"},
            "adam adds ε after the bias correction (PyTorch), adam-fairseq before it"),
        real<&R::optimiser, &R::Optimiser::beta1>("optimiser.beta1", 0, 0.999999, "decay of the mean"),
        real<&R::optimiser, &R::Optimiser::beta2>("optimiser.beta2", 0, 0.999999, "decay of the variance"),
        real<&R::optimiser, &R::Optimiser::epsilon>("optimiser.epsilon", 1e-20, 1, "ε of Adam"),
        real<&R::optimiser, &R::Optimiser::weightDecay>("optimiser.weightDecay", 0, 1,
                                                        "decoupled weight decay (AdamW)"),
        real<&R::optimiser, &R::Optimiser::learningRate>("optimiser.learningRate", 1e-12, 100,
                                                         "learning rate at the end of the warm-up"),
        whole<&R::optimiser, &R::Optimiser::warmupUpdates>("optimiser.warmupUpdates", 1, kMany,
                                                           "updates of linear warm-up; then 1/√update"),
        real<&R::optimiser, &R::Optimiser::clipNorm>("optimiser.clipNorm", 0, 1e9,
                                                     "maximum norm of the gradient; 0: no limit"),
        whole<&R::optimiser, &R::Optimiser::accumulate>("optimiser.accumulate", 1, 10000,
                                                        "batches per update"),
        later(text<&R::optimiser, &R::Optimiser::schedule>(
            "optimiser.schedule", {"inverse-sqrt", "constant", "linear", "cosine", "exponential", "plateau"},
            "learning rate after warm-up and hold; tri-stage is exponential")),
        later(real<&R::optimiser, &R::Optimiser::initialFactor>(
            "optimiser.initialFactor", 0, 1, "the warm-up begins at this × learning rate")),
        later(whole<&R::optimiser, &R::Optimiser::holdUpdates>(
            "optimiser.holdUpdates", 0, kMany, "updates at the learning rate after the warm-up")),
        later(whole<&R::optimiser, &R::Optimiser::decayUpdates>(
            "optimiser.decayUpdates", 0, kMany,
            "updates of the decay (linear, cosine, exponential); 0: up to length.maxUpdates")),
        later(real<&R::optimiser, &R::Optimiser::finalFactor>(
            "optimiser.finalFactor", 0, 1, "the decay ends at this × learning rate and stays there")),
        later(whole<&R::optimiser, &R::Optimiser::plateauPatience>(
            "optimiser.plateauPatience", 0, kMany,
            "plateau: validations without improvement before the learning rate falls")),
        later(real<&R::optimiser, &R::Optimiser::plateauFactor>("optimiser.plateauFactor", 1e-6, 0.999999,
                                                                "plateau: × the learning rate each time")),
        later(whole<&R::optimiser, &R::Optimiser::freezeEncoderUpdates>(
            "optimiser.freezeEncoderUpdates", 0, kMany, "first updates in which the encoder does not learn")),
        later(real<&R::optimiser, &R::Optimiser::weightNoise>(
            "optimiser.weightNoise", 0, 1,
            "standard deviation of Gaussian noise added to the weights in every forward pass after the warm-up")),
        later(real<&R::optimiser, &R::Optimiser::encoderLayerDrop>(
            "optimiser.encoderLayerDrop", 0, 0.99, "layer drop: probability that a batch skips a layer of the encoder")),
        later(real<&R::optimiser, &R::Optimiser::decoderLayerDrop>(
            "optimiser.decoderLayerDrop", 0, 0.99,
            "layer drop: the same of the decoder, or of a language model")),
        later(real<&R::optimiser, &R::Optimiser::stochasticDepth>(
            "optimiser.stochasticDepth", 0, 0.99,
            "stochastic depth: P that a batch skips the last layer; less for earlier ones, in proportion to their number")),
        later(whole<&R::optimiser, &R::Optimiser::relaxationWarmupUpdates>(
            "optimiser.relaxationWarmupUpdates", 0, kMany,
            "relaxed attention: updates in which γ rises linearly to that of the architecture; 0: none")),

        whole<&R::length, &R::Length::maxUpdates>("length.maxUpdates", 1, kMany,
            "number of updates of the run"),
        whole<&R::length, &R::Length::maxEpochs>("length.maxEpochs", 0, kMany, "epochs; 0: no limit"),
        whole<&R::length, &R::Length::patience>(
            "length.patience", 0, kMany, "validations without improvement before early stopping; 0: never"),

        whole<&R::validation, &R::Validation::everyUpdates>("validation.everyUpdates", 0, kMany,
                                                            "updates between validations; 0: not by updates"),
        whole<&R::validation, &R::Validation::everyEpochs>("validation.everyEpochs", 0, kMany,
                                                           "epochs between validations; 0: not by epochs"),
        text<&R::validation, &R::Validation::best>(
            "validation.best", {"loss", "nll", "ctc", "wer", "cer", "bleu", "chrf", "ter"},
            "criterion of the best checkpoint, of early stopping and of the plateau schedule; nll: loss without label "
            "smoothing; ctc: CTC loss beside a decoder; cer: sclite's"),
        whole<&R::validation, &R::Validation::maxUtterances>("validation.maxUtterances", 0, kMany,
                                                             "utterances to decode; 0: all"),
        whole<&R::validation, &R::Validation::maxTokens>("validation.maxTokens", 1, 100000,
                                                         "longest hypothesis, tokens"),
        whole<&R::validation, &R::Validation::samples>("validation.samples", 0, 1000,
                                                       "decoded examples saved per validation"),

        whole<&R::checkpoints, &R::Checkpoints::everyUpdates>(
            "checkpoints.everyUpdates", 0, kMany, "updates between checkpoints; 0: only at validations"),
        whole<&R::checkpoints, &R::Checkpoints::keep>("checkpoints.keep", 1, 100000,
                                                      "number of checkpoints to keep, besides the best"),
        whole<&R::checkpoints, &R::Checkpoints::average>(
            "checkpoints.average", 1, 100000,
            "number of last checkpoints averaged for the final model; 1: the best one"),
        later(whole<&R::checkpoints, &R::Checkpoints::statisticsBatches>(
            "checkpoints.statisticsBatches", 0, kMany,
            "batches from which BatchNorm's statistics of the averaged model are computed; 0: averaged too")),

        text<&R::machine, &R::Machine::precision>("machine.precision", {"fp32", "bf16", "auto"},
                                                  "auto measures which is faster"),
        whole<&R::machine, &R::Machine::threads>("machine.threads", 0, 4096,
                                                 "compute threads; 0: all processors"),
        whole<&R::machine, &R::Machine::seed>("machine.seed", 0, 9007199254740991,
                                              "seed of initial weights, data order, dropout, augmentation"),
        whole<&R::machine, &R::Machine::logEvery>("machine.logEvery", 1, kMany,
                                                  "updates between two points of the curves"),
        later(text<&R::machine, &R::Machine::device>(
            "machine.device", {}, "auto, cpu, cuda or cuda:K, unless --device or the window's Where says otherwise")),
    };
}

} // namespace

const std::vector<RecipeField>& recipeFields() {
    static const std::vector<RecipeField> fields = makeFields();
    return fields;
}

} // namespace headroom
