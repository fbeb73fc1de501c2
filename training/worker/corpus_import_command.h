// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/worker/arguments/corpus_arguments.h"
#include "training/worker/console.h"

namespace headroom::training {

/// Reads a corpus of another kind in place (core/corpus/kinds) and learns its SentencePiece models. Defects are
/// notes; the command fails only if nothing could be read.
void importCorpusCommand(const CorpusImportOptions& options, Console& console);

/// "41.0 min", or "3.2 h" from an hour on.
std::string hoursOf(double seconds);

/// `corpus summary`: core/corpus/corpus_summary.h, printed.
struct CorpusSummaryOptions {
    std::filesystem::path data, recipe; ///< recipe: may be empty
    std::string task;                   ///< empty: the recipe's, else the corpus's
};
void corpusSummary(const CorpusSummaryOptions& options, Console& console);

/// Opens a corpus whose texts are needed. Throws Error "corpus.otherKind", which names the command that reads it, for
/// a corpus of another kind; else the errors of Corpus::open. `console`: shows how much of large tables is read; may be null.
Corpus openTranscribed(const std::filesystem::path& data, Console* console = nullptr);

} // namespace headroom::training
