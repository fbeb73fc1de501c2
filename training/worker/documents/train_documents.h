// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/commands/worker_commands.h"
#include "core/corpus/corpus.h"
#include "core/runs/file_lock.h"
#include "core/runs/recipe.h"
#include "core/text/token_rules.h"
#include "training/loop/initial_weights.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::training {

/// What a new run is made of.
struct RunDocuments {
    Architecture architecture;
    Recipe recipe;
};

/// Reads and checks the documents that the options name, with what they override. Throws the errors of reading them, and
/// Error "train.features", "train.task" (a language model with another task than "lm", or the reverse).
RunDocuments readDocuments(const TrainOptions& options);

/// Takes the lock of a run, which a queue may hold for a moment while it is asked about it. Throws Error "run.inUse".
FileLock takePatiently(const std::filesystem::path& folder);

/// Returns what is wrong with a corpus, a sentence each, without tables that the recipe does not read: at another machine their
/// recordings need not be.
std::vector<std::string> problemNotes(const Corpus& corpus, const Recipe& recipe);

/// Returns machine.device of the recipe that the options or the run name, for a command without --device. A recipe that cannot be
/// read names the CPU; who reads it next says what is wrong.
std::string deviceOfRecipe(const TrainOptions& options);

struct TextOfModel {
    std::filesystem::path tokenizer;
    TokenRules rules; ///< of the start model, if the tokenizer is its own
    std::filesystem::path sourceTokenizer{}; ///< of sources that have a vocabulary of their own; otherwise empty
};
/// Returns the tokenizer: of the model that everything is taken from, else `own`, the corpus's. `ownSource`: the corpus's
/// vocabulary of sources, which need not exist; an encoder that is taken from a model keeps the model's. Throws Error
/// "data.tokenizer" if there is none.
TextOfModel tokenizerFor(const std::optional<StartFrom>& startFrom, const std::filesystem::path& own,
                         const std::filesystem::path& ownSource = {});

/// Sets the sizes of the outputs to the tokenizer's pieces, and that of a source's own vocabulary to its. Returns a sentence that says so, empty
/// where they were right. The blank of a CTC output is <s>, one of the pieces.
std::string matchVocabulary(Architecture& architecture, const TextOfModel& text);

/// Throws Error "data.tokenizer" if the architecture embeds the source with its target and the texts have a vocabulary for each,
/// or the reverse.
void checkVocabularies(const Architecture& architecture, const TextOfModel& text);

/// Returns the id of the run that a start model belongs to; empty for other models.
std::string parentOf(const std::optional<StartFrom>& startFrom);

/// Returns the first difference between these documents and what the options ask for, as half a sentence: "its KEY is A, and B
/// was asked for", with `whose` for "its"; empty: none, or the options ask for nothing. Of `architecture`, what a corpus
/// decides is left out.
std::string differenceFrom(const TrainOptions& options, const Recipe& recipe, const Architecture& architecture,
                           const std::string& whose);

/// A run that goes on keeps what it is. Throws Error "train.otherRun" with the first difference where the options say
/// otherwise.
void refuseOtherwise(const TrainOptions& options, const std::filesystem::path& folder, const Recipe& recipe,
                     const Architecture& architecture);

} // namespace headroom::training
