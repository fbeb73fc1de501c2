// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

/// A share of the training utterances that becomes a split of its own, such as dev.
struct HeldOut {
    std::string split;
    double percent = 0; ///< of the utterances; above 0, and together below 100
};

/// What to read, and how.
struct CorpusImport {
    std::string kind; ///< of corpusKinds(); empty: recognised
    std::filesystem::path from, out;
    std::string language; ///< spoken; empty: what the corpus says, else "und" (undetermined)
    /// Splits to make, each of splits of the corpus: {"train", {"train-clean-100", "train-clean-360"}}.
    /// Empty: those of the corpus.
    std::vector<std::pair<std::string, std::vector<std::string>>> splits;
    /// Shares of the training split, or of the only split, that are moved to new splits (held_out.h). Empty: none.
    std::vector<HeldOut> heldOut;
    /// Beginnings of paths to replace, for manifests written on another machine: {"/data/old", "/corpora"}.
    std::vector<std::pair<std::string, std::string>> maps;
    bool lowercase = false; ///< of every text
    bool copy = false;      ///< copies the recordings that are used, instead of linking to them
    /// Speeds at which every utterance of the splits “train…” is added once more, as sp0.9-ID of the speaker
    /// sp0.9-SPEAKER, like Kaldi's perturb_data_dir_speed.sh. The recordings are not copied.
    std::vector<double> speeds;
    int threads = 0; ///< that look at recordings; 0: one per processor
};

struct ImportedSplit {
    std::int64_t utterances = 0;
    double seconds = 0;
};

/// What was read and written.
struct ImportedCorpus {
    std::string kind;
    CorpusDocument document;
    std::map<std::string, ImportedSplit> splits;
    std::vector<CorpusProblem> problems; ///< also in OUT/problems.tsv
    std::int64_t leftOut = 0;            ///< utterances
    std::vector<std::string> notes;      ///< one sentence each, for people
};

/// Adds what belongs into a new corpus besides its tables, such as its SentencePiece models. `folder` is where it is made, not yet
/// under its name.
using CompleteCorpus = std::function<void(const ImportedCorpus& made, const std::filesystem::path& folder)>;

/// Reads a corpus of another kind in place and writes it as a corpus of ours (README.md of core/corpus) into
/// the new folder `out`: corpus.json, SPLIT_TASK.tsv and problems.tsv. Unless asked, no recording is copied:
/// `out/audio` is a link to `from`, and segments of long recordings are rows that name a part of a file.
///
/// Every recording is looked at (readSoundFacts). Utterances whose recording is missing, empty or cut short,
/// or whose segment is not inside it, are left out and listed.
///
/// `progress` gets recordings looked at, and all. It may be called from any of the threads, never by two at
/// once. Throws Error: "corpus.missing", "corpus.exists" (`out` is there and not empty), "corpus.noKind",
/// "corpus.unknownKind", "corpus.noSplit", "corpus.nothing" (no usable utterance), "corpus.holdOut",
/// "corpus.sameSpeed" (a speed twice), "corpus.unwritable", and what `complete` throws. Then nothing is left of the new corpus.
/// Blocks.
ImportedCorpus importCorpus(const CorpusImport& request,
                            const std::function<void(std::int64_t, std::int64_t)>& progress = {}, const CompleteCorpus& complete = {});

} // namespace headroom
