// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/loop/journal.h"
#include "training/loop/validation.h"

#include <functional>

namespace headroom::training {

// What a window may ask of a run between two updates without ending it (core/runs/run_control.h). Training thread.

/// Does what control.json asks: evaluates once, or waits until the pause is over or `stops` returns true. `ranks`: the
/// run has several processes, which refuse both in the log. Returns the seconds that it took.
double obeyRequests(Journal& journal, std::int64_t update, bool ranks, const std::function<void()>& evaluate,
                    const std::function<bool()>& stops);

/// {loss, nll, wer, bleu, utterances} as events and run.json have them; `wer` is null if it is undefined. Of a language
/// model {loss, nll, perplexity}.
nlohmann::ordered_json scoresOf(const Validation& result);
/// The same for the log: "loss 3.120 bits, WER 12.04 %, BLEU 80.13".
std::string sentenceOf(const Validation& result);
/// What decides which checkpoint is the best, by the recipe's `validation.best`: lower is better. The loss where there is
/// no such score, as of a text without words.
double criterionOf(const Validation& result, const std::string& best);
/// Whether a validation is better than the one that `best` holds: scoresOf() it with its "score" (criterionOf); null: there is none.
enum class Standing {
    Better,
    AsGood, ///< the score is the same, and the loss is lower: its weights are kept, but patience goes on counting
    NotBetter,
};
Standing standingOf(const Validation& result, double score, const nlohmann::json& best);

/// Writes the event "validation" and the first `samples` hypotheses.
void record(Journal& journal, std::int64_t update, const Validation& result, const std::vector<Example>& examples,
            std::int64_t samples);

} // namespace headroom::training
