// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "training/data/examples.h"
#include "training/loop/initial_weights.h"
#include "training/loop/journal.h"
#include "training/ranks/ranks.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace headroom::training {

/// Everything a run is made of, read and validated.
struct TrainSetup {
    Architecture architecture;
    Recipe recipe;
    ExampleSet train, validation;
    std::filesystem::path tokenizer; ///< the SentencePiece model
    std::filesystem::path sourceTokenizer; ///< of sources that have a vocabulary of their own; otherwise empty
    TokenRules tokens; ///< of the decoder; S2T's, or those of the start model whose tokenizer is used
    std::optional<StartFrom> startFrom;
    Ranks* ranks = nullptr; ///< those that train this run together; null: this process alone
    bool resume = false;    ///< resume from the newest checkpoint in the journal's folder, if any
    const std::atomic<bool>* stop = nullptr; ///< set by a signal handler: save, then end
    std::function<void(const Progress&)> progress;
};

/// Trains until the recipe ends, a stop is requested, or an error occurs, and records it in the journal's
/// run.json. Returns Finished or Stopped.
///
/// With `ranks`, each rank trains on its share of the utterances of every batch, and gradients, losses and scores are
/// sums over the ranks: without dropout the weights are those of one process. Rank 0 alone reads checkpoints and writes the
/// run; the others have a silent journal. Every rank returns the same state.
/// Throws Error "train.notFinite" (loss or gradient is not a number;
/// the sentence names update, utterances and the last good checkpoint), "train.noCheckpoint", and the errors
/// of reading audio and writing. Sets torch's number of threads, for the whole process, to the value in
/// run.json.
RunState train(TrainSetup& setup, Journal& journal);

} // namespace headroom::training
