// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"
#include "core/runs/recipe.h"
#include "core/text/tokenizer.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace headroom::training {

/// An utterance ready to be learnt from.
struct Example {
    std::string id;
    std::filesystem::path audio;
    std::int64_t frames = 0; ///< of 10 ms
    std::string text;
    std::vector<int> target; ///< token ids, without </s>
    bool perFrame = false;   ///< the target has one label for every frame (the task "phone_frames")
};

/// The task whose texts say every feature frame: training/corpus/phone_tasks.h.
inline constexpr const char* kFrameLabelTask = "phone_frames";

/// What became of a split.
struct ExampleSet {
    std::vector<Example> examples;  ///< in the order of the corpus
    std::vector<std::string> notes; ///< one sentence per reason for which utterances were left out
};

/// The ids that the models rely on stand where they should: <pad> 1, </s> 2. Throws Error "data.tokenizer"
/// naming `file`. Returns the id of <unk>.
int checkTokenIds(const Tokenizer& tokenizer, const std::filesystem::path& file);

/// The utterances of one split and task that a recipe keeps: text that is not empty, at least minFrames and,
/// `forTraining`, at most maxFrames frames. Utterances whose length the corpus does not say are opened to
/// find out. Throws Error "data.empty" where nothing is left, "data.unknownPieces" for text that the
/// SentencePiece model cannot write (unless the recipe keeps it), "data.frameLabels" where the task is
/// kFrameLabelTask and a text has not one label per frame, and what Corpus throws.
ExampleSet readExamples(const Corpus& corpus, const Recipe& recipe, const std::string& split,
                        bool forTraining, const Tokenizer& tokenizer, int unknownId);

/// SHA-256 over what a run learns from: ids, lengths, texts as token ids, names and sizes of the recordings.
std::string hashOf(const std::vector<const ExampleSet*>& sets);

} // namespace headroom::training
