// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/runs/launch.h"
#include "app/workspaces/train/corpus_version.h"
#include "core/experiments/training_hours.h"
#include "widgets/run_monitor/run_item.h"

#include <QStringList>

#include <filesystem>
#include <map>
#include <optional>
#include <vector>

namespace headroom::app {

/// Which characters of its texts a vocabulary does not know.
struct VocabularyGaps {
    std::int64_t texts = 0;                       ///< of both splits
    std::int64_t gaps = 0;                        ///< texts that are not written whole
    std::map<std::string, std::int64_t> characters; ///< UTF-8 → in how many texts
};

/// A recording of which a training would stop, because it cannot be opened or is not as long as its table says.
struct UnusableRecording {
    bool isOfTraining = true; ///< false: the validation split has it, alone or as well
    std::optional<std::int64_t> frames; ///< by the table
    QString sentence;
};

/// What a corpus folder holds for one task and its splits. Reading it may take seconds: off the window's
/// thread.
struct DataFacts {
    static constexpr qsizetype kMostNamed = 10; ///< findings that a tool tip names
    std::filesystem::path folder;
    std::vector<std::filesystem::path> files; ///< on which this depends: what opening read, and recordings that cannot be used
    CorpusVersion version;                    ///< of it and the files when it was read
    std::string task, trainSplit, validationSplit;
    QString mistake; ///< a sentence; empty: it can be trained on
    int train = 0, validation = 0; ///< utterances that have a text; sentences of a language model
    bool areLeast = false;         ///< there are more: they are counted for a few seconds only
    /// Of the utterances that are counted: frames of each, or tokens of parallel text with its vocabulary. Empty: not all are known.
    std::vector<std::int64_t> lengths, validationLengths;
    qint64 invalidRows = 0;        ///< of both splits: rows that are left out or have no text, none of the counts above
    QStringList firstInvalid;      ///< sentences of the first of them
    std::vector<UnusableRecording> unusable; ///< by the headers, as far as they were looked at
    qint64 lookedAt = 0, recordings = 0;     ///< a large corpus is looked at for a few seconds only
    std::optional<int> vocabulary; ///< pieces of the corpus' SentencePiece model
    std::optional<int> sourceVocabulary; ///< of parallel text, pieces of its sources, if these have a vocabulary of their own
    std::filesystem::path start;   ///< the model whose vocabulary writes the texts; empty: the corpus' own does
    std::optional<VocabularyGaps> unknown; ///< nothing where there is no vocabulary yet
    std::string splitToDivide; ///< splitToDivide() of it
    QString heldOut;           ///< heldOutNote() of it
    bool isOf(const std::filesystem::path& data, const Recipe& recipe) const;
    bool hasOneSplit() const { return trainSplit == validationSplit; } ///< the counts of both are then of the same rows
    /// The recordings at which a run would stop: what the limits leave out is never opened.
    std::vector<const UnusableRecording*> thatStop(const Recipe::Data& limits) const;
};
DataFacts readDataFacts(const std::filesystem::path& data, const Recipe& recipe, const std::filesystem::path& start);

/// The vocabulary of a model folder, ours or Hugging Face's; nothing where it cannot be read.
std::optional<int> vocabularyOf(const std::filesystem::path& model);

/// Whether weights can be taken from it, by the names of its files: a folder of any family, with weights in one file or in
/// parts, or a file that is a model. The worker says what is wrong with it when it starts from it.
bool isModelFolder(const std::filesystem::path& model);

/// Bytes that may still be written where `folder` is or will be; nothing where that is not known.
std::optional<double> freeDisk(const std::filesystem::path& folder);

/// How long one seed will take: for each update as long as the newest finished run took that had about as
/// many parameters (within a tenth), the same data and the same batches, at the same place or on the same device of this machine.
/// `corpus`: what the recipe keeps of it, for maxEpochs; without it, maxUpdates alone counts. Nothing where there is none; a run that was resumed says nothing.
struct TimeEstimate {
    double seconds = 0;
    QString run; ///< whose time it was
};
std::optional<TimeEstimate> estimateTime(const std::vector<widgets::RunItem>& runs, const Launch& launch,
                                         const std::optional<CorpusExtent>& corpus = std::nullopt);

/// How long a training of an experiment will take at a place, or (empty) on a device of this machine: its frames at the speed of the newest
/// run that finished there and had about as many parameters (within a tenth) and the same kind of input. Nothing where there is none.
std::optional<double> estimateTime(const std::vector<widgets::RunItem>& runs, const PlannedStep& training, const TrainingWork& work,
                                   const std::string& place = {}, const std::string& device = {});

} // namespace headroom::app
