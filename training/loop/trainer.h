// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/runs/recipe.h"
#include "training/data/examples.h"
#include "training/loop/initial_weights.h"
#include "training/loop/journal.h"

#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace headroom::training {

/// What a run is made of, everything read and checked.
struct TrainSetup {
    Architecture architecture;
    Recipe recipe;
    ExampleSet train, validation;
    std::filesystem::path tokenizer; ///< the SentencePiece model
    std::optional<StartFrom> startFrom;
    bool resume = false; ///< go on from the newest checkpoint of the journal's folder, where there is one
    const std::atomic<bool>* stop = nullptr; ///< set from a signal handler: save, then end
    std::function<void(const Progress&)> progress;
};

/// Trains until the recipe, somebody, or an error ends it; the journal's run.json then says which. Returns
/// Finished or Stopped. Throws Error: "train.notFinite" (loss or gradient is not a number; the sentence names
/// update, utterances and the last good checkpoint), "train.noCheckpoint", what reading audio and writing
/// throw. Sets torch's number of threads, of the whole process, to what run.json decided.
RunState train(TrainSetup& setup, Journal& journal);

} // namespace headroom::training
