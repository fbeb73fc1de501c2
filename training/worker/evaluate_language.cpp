// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/evaluate_language.h"

#include "core/errors/count_text.h"
#include "core/runs/score_decimals.h"
#include "core/tensors/atomic_file.h"
#include "training/data/sentences.h"
#include "training/worker/recordings.h"

#include <cmath>
#include <cstdio>

namespace headroom::training {

void followBy(EvaluationWatch& watch, ValidationOptions& how, std::size_t before, std::size_t after) {
    how.stop = watch.stopFlag();
    const auto from = static_cast<std::int64_t>(before), more = static_cast<std::int64_t>(before + after);
    how.progress = [&watch, from, more](std::int64_t done, std::int64_t total) { watch.progress(from + done, total + more); };
}

void refuseNotFinite(ValidationOptions& how, const std::string& model, const std::vector<Example>& examples) {
    how.notFinite = [&model, &examples](const std::vector<std::int64_t>& batch) {
        throw Error("model.notFinite",
                    model + " computes a loss that is not finite (NaN or infinity) for " + examples[static_cast<std::size_t>(batch.front())].id +
                        (batch.size() > 1 ? " or another utterance of its batch" : "") +
                        ", so it has no scores. Its weights may be damaged.");
    };
}

nlohmann::json evaluationHead(const EvaluateOptions& options, const models::Checkpoint& model, const ModelWeights& weights,
                              const std::string& task) {
    nlohmann::json head{{"format", "headroom/evaluation"},
                        {"version", 1},
                        {"model", options.model.string()},
                        {"weightsHash", model.info.weightsHash},
                        {"data", options.data.string()},
                        {"split", options.split},
                        {"task", task}};
    if (!weights.empty())
        head["checkpoints"] = weights;
    if (model.folder.isInLanguage)
        head["language"] = model.folder.language;
    return head;
}

void evaluateLanguage(const EvaluateOptions& options, const models::Checkpoint& model, const ModelWeights& weights,
                      EvaluationWatch& watch, Console& console) {
    if (!options.decoding.isGreedy() || !options.language.empty() || options.windows.cuts() ||
        !options.glm.empty() || options.attention)
        throw Error("decoding.settings", "The language model " + options.model.string() +
                                             " is not decoded: --language, --window, --glm, --attention and "
                                             "the options of decoding do not apply.");
    ValidationOptions how;
    how.recipe.task = options.task.empty() ? "lm" : options.task;
    if (!isLanguageTask(how.recipe.task))
        throw Error("corpus.noTask", "The language model " + options.model.string() +
                                         " needs --task lm, or lm_TASK for the texts of TASK.");
    how.recipe.data.minFrames = 1;
    how.recipe.loss.labelSmoothing = 0;
    const Tokenizer tokenizer(model.info.tokenizer);
    const Sentences sentences = Sentences::open(options.data, how.recipe.task);
    const ExampleSet set = sentences.read(how.recipe, options.split, false, tokenizer,
                                          checkTokenIds(tokenizer, model.info.tokenizer));
    for (const std::string& note : set.notes)
        console.note(note);
    followBy(watch, how);
    refuseNotFinite(how, model.info.name, set.examples);
    FeatureCache unused(0);
    const Validation result =
        validate(model.parameters, model.info.architecture, set.examples, unused, tokenizer, how);
    if (!std::isfinite(*result.perplexity))
        throw Error("model.notFinite", "The perplexity of " + model.info.name + " on " + options.split +
                                           " is too large for a number. Its weights may be damaged.");
    nlohmann::json document = evaluationHead(options, model, weights, how.recipe.task);
    document.update({{"sentences", set.examples.size()}, {"nll", result.nll}, {"perplexity", *result.perplexity}});
    makeFolder(options.out);
    writeAtomically(options.out / "evaluation.json", document.dump(2) + "\n", "output.unwritable");
    char text[160];
    std::snprintf(text, sizeof text, ": perplexity %.*f, %.*f bits per piece", kScoreDecimals, *result.perplexity, kLossDecimals, result.nll);
    console.line(options.split + ", " + counted(static_cast<std::int64_t>(set.examples.size()), "sentence") + text);
    console.document(document);
}

} // namespace headroom::training
