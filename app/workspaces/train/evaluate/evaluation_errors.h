// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_utterance.h"
#include "core/runs/evaluations.h"
#include "core/runs/task_kind.h"
#include "core/studies/table.h"
#include "core/text/word_alignment.h"

#include <QString>

#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace headroom::app {

/// One text of an n-best list beside the reference.
struct EvaluatedHypothesis {
    std::vector<AlignedWords> words;
    double score = 0; ///< sum of ln P / length ^ length penalty; NaN: unknown
    int errors = 0;
};

/// An utterance as a model wrote it beside its reference, word by word. Words are those that WER counts
/// (core/text/scored_words.h).
struct EvaluatedUtterance {
    std::string id;
    std::string speaker; ///< empty: neither the evaluation nor the corpus names one
    std::vector<AlignedWords> words;
    CorpusTexts texts;
    std::filesystem::path audio; ///< empty: the corpus was not read, or does not have it
    std::filesystem::path alignment; ///< of the corpus; empty: it names none
    int errors = 0, referenceWords = 0;
    std::vector<EvaluatedHypothesis> hypotheses; ///< best first; empty: the evaluation kept one text only
    /// Errors per word of the reference, in per cent; all of them where the reference has none.
    double rate() const;
};

/// One mistake and how often it was made. Empty: nothing, for deletions (`hypothesis`) and insertions (`reference`).
struct Confusion {
    std::string reference, hypothesis;
    std::vector<int> utterances; ///< index into the list, one per time that it was made
};

/// The errors of the utterances of one speaker, or of about one length.
struct ErrorGroup {
    std::string name;
    std::vector<int> utterances; ///< index into the list
    int errors = 0, referenceWords = 0;
    double rate() const; ///< as that of an utterance
};

/// What went wrong in an evaluation. A value.
struct EvaluationErrors {
    EvaluationInfo info;
    std::vector<EvaluatedUtterance> utterances; ///< most errors per word first
    std::vector<Confusion> confusions;          ///< most frequent first
    std::vector<ErrorGroup> speakers; ///< most errors per word first; empty: no speaker is known
    std::vector<ErrorGroup> lengths;  ///< by words of the reference, shortest first: as `score --by length`
    int substitutions = 0, deletions = 0, insertions = 0;
    std::vector<std::string> notes; ///< what was left out, one sentence each; of an earlier version none
    std::string corpusMistake; ///< why nothing can be played; empty: all is well
    bool isText() const { return readsText(info.request.task); } ///< its utterances are sentences
};

/// Reads evaluation.json and aligns every text; opens the corpus for the recordings. Blocks: call it off the window's
/// thread. Throws what readEvaluation() throws, and Error "evaluation.noTexts" (of a language model), "evaluation.badJson".
EvaluationErrors readErrors(const std::filesystem::path& folder);

/// The tables of confusions, of speakers or lengths, and of utterances (only those of a confusion or group, if they are
/// given; `shown` gets their indices in `utterances`). Pure.
StudyTable confusionTable(const EvaluationErrors& errors);
StudyTable groupTable(const EvaluationErrors& errors, const std::vector<ErrorGroup>& groups, const QString& kind);
StudyTable utteranceTable(const EvaluationErrors& errors, const std::vector<int>* only, std::vector<int>& shown);

} // namespace headroom::app
