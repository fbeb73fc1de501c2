// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/model_weights.h"
#include "models/checkpoints/checkpoint.h"
#include "training/loop/validation.h"
#include "training/worker/arguments/evaluate_arguments.h"
#include "training/worker/console.h"
#include "training/worker/evaluation_watch.h"

#include <string>
#include <vector>

namespace headroom::training {

/// The perplexity of a language model on a split, in evaluation.json. Throws Error "decoding.settings" where options of decoding are
/// given, "corpus.noTask", "model.notFinite", and what reading the sentences throws.
void evaluateLanguage(const EvaluateOptions& options, const models::Checkpoint& model, const ModelWeights& weights, EvaluationWatch& watch,
                      Console& console);

// What the evaluation of every kind of model shares:

/// Progress and requests to stop. `before`, `after`: utterances that are decoded by other calls.
void followBy(EvaluationWatch& watch, ValidationOptions& how, std::size_t before = 0, std::size_t after = 0);

/// Refuses numbers that would be no scores, before an hour of decoding: texts that follow from NaN have a WER, too.
void refuseNotFinite(ValidationOptions& how, const std::string& model, const std::vector<Example>& examples);

/// What evaluation.json says of every kind of model. `weights`: as they were when it was read.
nlohmann::json evaluationHead(const EvaluateOptions& options, const models::Checkpoint& model, const ModelWeights& weights,
                              const std::string& task);

} // namespace headroom::training
