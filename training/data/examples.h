// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "core/corpus/corpus.h"
#include "core/runs/recipe.h"
#include "core/text/tokenizer.h"
#include "training/data/text_form.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom::training {

/// An utterance for training.
struct Example {
    std::string id;
    std::filesystem::path audio; ///< a file, or a part of one (core/audio/audio_name.h)
    std::int64_t frames = 0; ///< of 10 ms; of parallel text: the tokens of the longer side, with </s>
    std::string text;        ///< empty in a sentence for a language model
    std::vector<int> target; ///< token ids, without </s>
    std::vector<int> source{}; ///< parallel text: token ids of the source, without </s>; otherwise empty
    /// A sentence for a language model: there is nothing to read, only a target (sentences.h).
    bool isSentence() const { return audio.empty() && source.empty(); }
    bool perFrame = false;   ///< the target has one label for every frame (the task "phone_frames")
    std::shared_ptr<const TextForm> form = plainTextForm();

    /// The frames that a pass computes: its own, or those of the window.
    std::int64_t computedFrames() const { return std::max(frames, form->window); }
};

/// Returns the frames of a front end in so many frames of 10 ms, which corpora and recipes count in.
std::int64_t inputFrames(const Architecture::FrontEnd& frontEnd, std::int64_t frames);

/// The task with a label for every feature frame: training/alignment/phone_tasks.h.
inline constexpr const char* kFrameLabelTask = "phone_frames";

/// The usable utterances of a split.
struct ExampleSet {
    std::vector<Example> examples;  ///< in corpus order
    std::vector<std::string> notes; ///< one sentence per reason for leaving utterances out
};

/// Returns the id of unknown text; −1 if there is none. For a SentencePiece model, checks that <pad> is 1 and
/// </s> is 2, as decoders require. Throws Error "data.tokenizer", which names `file`.
int checkTokenIds(const Tokenizer& tokenizer, const std::filesystem::path& file);

/// The pieces of sources that have a vocabulary of their own.
struct SourcePieces {
    Tokenizer tokenizer;
    int unknownId;
    /// Throws as Tokenizer and checkTokenIds.
    explicit SourcePieces(const std::filesystem::path& file) : tokenizer(file), unknownId(checkTokenIds(tokenizer, file)) {}
    /// `nullopt` of an empty path: source and target share a vocabulary.
    static std::optional<SourcePieces> of(const std::filesystem::path& file) {
        return file.empty() ? std::nullopt : std::optional<SourcePieces>(std::in_place, file);
    }
};

/// Returns the utterances of one split and task that a recipe keeps (Recipe::Data::limits()) and that have a text. Opens recordings of
/// unknown length. Throws Error "data.empty" if
/// none is left, "data.unknownPieces" for text that the SentencePiece model cannot encode (unless the recipe
/// keeps it), "data.frameLabels" if the task is kFrameLabelTask and a text does not have one label per frame,
/// and the errors of Corpus. `form`: how a decoder is given the texts; what exceeds its lengths is left out. `source`: cuts
/// the sources of parallel text; null: `tokenizer` does.
ExampleSet readExamples(const Corpus& corpus, const Recipe& recipe, const std::string& split,
                        bool forTraining, const Tokenizer& tokenizer, int unknownId,
                        const std::shared_ptr<const TextForm>& form = plainTextForm(),
                        const SourcePieces* source = nullptr);

/// Throws Error "data.kind" if a model with this front end cannot read the examples: recordings for a text model, or
/// parallel text for a speech model. `model`: its name.
void checkReadable(const ExampleSet& set, const Architecture::FrontEnd& frontEnd, const std::string& model);

/// SHA-256 over the training data: ids, lengths, texts as token ids, names and sizes of the recordings.
std::string hashOf(const std::vector<const ExampleSet*>& sets);

} // namespace headroom::training
