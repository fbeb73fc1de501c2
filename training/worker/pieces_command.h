// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/pieces_options.h"
#include "training/worker/console.h"

namespace CLI {
class App;
}

namespace headroom::training {

/// Declares `corpus pieces` under `corpus`. Options must outlive the parser.
CLI::App* declarePiecesArguments(CLI::App& corpus, PiecesOptions& options);

/// Learns the pieces of a task from the training splits, writes TASK.sentencepiece.model and .vocab into the
/// corpus (not on trial), and reports on the first split that is not for training: pieces per word, unknown
/// and unused pieces, the longest sentence, an example taken apart, and sentences that the normalisation
/// changes. Throws Error "corpus.noText" without texts in a training split, "corpus.unknownTask",
/// "corpus.notOurs" for a folder without corpus.json, and what learning throws.
void corpusPieces(const PiecesOptions& options, Console& console);

} // namespace headroom::training
