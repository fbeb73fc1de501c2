// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>

namespace headroom::training {

struct DemoTextOptions {
    std::filesystem::path out;
    std::int64_t sentences = 20'000; ///< pairs of each task, over all splits; at least 100
    std::uint64_t seed = 1;
    int pieces = 512; ///< maximum size of each joint SentencePiece model
};

struct DemoTextSummary {
    std::map<std::string, std::int64_t> splits; ///< pairs
    std::map<std::string, int> pieces;          ///< by task
    std::int64_t words = 0;                     ///< distinct English words
};

/// Writes parallel text of the demo corpus's grammar into a new or empty folder: tables of the tasks
/// translate (English → German) and translate_es (English → Spanish), and for each one SentencePiece model
/// over both languages. Equal options give equal bytes. The split of a sentence is that of the spoken demo
/// corpus. Throws Error "corpus.notEmpty", "corpus.unwritable", and those of learnSentencePieces; a partial
/// output is removed.
DemoTextSummary makeDemoText(const DemoTextOptions& options);

} // namespace headroom::training
