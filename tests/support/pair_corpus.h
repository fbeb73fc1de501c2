// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"
#include "core/corpus/corpus_document.h"

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::testing {

/// Writes a corpus of parallel text with one pair in each split: “the dog”, “der Hund”.
inline std::filesystem::path makePairs(const std::filesystem::path& folder, const std::vector<std::string>& splits) {
    CorpusDocument document;
    document.name = folder.filename().string();
    document.languages = {"en", "de"};
    document.splits = splits;
    document.tasks = {{"translate", "en", "de", true}};
    Utterance pair;
    pair.id = "one";
    pair.sourceText = "the dog";
    pair.text = "der Hund";
    std::filesystem::create_directories(folder);
    for (const std::string& split : splits)
        writeCorpusTable(folder, split, document.tasks[0], {pair});
    writeCorpusDocument(folder / "corpus.json", document);
    return folder;
}

} // namespace headroom::testing
