// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace headroom::training {

/// Returns the output labels of a phone model: the 36 classes of Shim et al. 2022 (core/alignment/phones.h)
/// in order, then "SIL".
std::vector<std::string> phoneModelLabels();

struct PhoneTasksSummary {
    std::map<std::string, std::int64_t> utterances; ///< by split
    std::vector<std::string> leftOut;               ///< one sentence each, the first 20
    std::int64_t leftOutCount = 0;
};

/// Adds two tasks to a corpus with alignments, from the texts of `asr`:
/// - "phones": the phone classes of an utterance in order, without silence, for CTC;
/// - "phone_frames": one class or SIL for every feature frame, the one at its centre; a model without a
///   decoder learns these token by token (training/loop/README.md).
///
/// Writes `aligner.json` (aligner_record.h) for a model of the second task, with the priors of the first
/// split, their tables and SentencePiece models (of whole words, phoneModelLabels()) and, last, corpus.json.
/// Utterances without alignment, or with a phone of no class, are left out and reported.
///
/// Throws Error "corpus.noAlignments" if a split has no utterance left, "corpus.noTask" without asr,
/// "corpus.notTables" for a folder without corpus.json, and the errors of Corpus and of writing.
PhoneTasksSummary addPhoneTasks(const std::filesystem::path& corpus);

} // namespace headroom::training
