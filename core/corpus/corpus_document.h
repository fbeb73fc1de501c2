// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/time/units.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// What a model learns from a recording: "asr" (the same language), "st_de" (a translation). The name is part
/// of file names: letters, digits, '-' and '_'.
struct CorpusTask {
    std::string name;
    std::string source, target; ///< languages of the document; if it has none, "source", "target" or empty
    bool isText = false; ///< the source is text: rows have no recording
    bool isTranslation() const { return source != target; }
};

/// The contents of corpus.json; README.md has the schema. A value.
struct CorpusDocument {
    std::string name;
    std::string about; ///< one sentence; may be empty
    SampleRate sampleRate{kModelSampleRate}; ///< not written if every task is text
    std::vector<std::string> languages; ///< "en", "de" …, spoken languages first
    std::vector<std::string> splits;    ///< "train", "dev", "test"; letters, digits, '-' and '.'
    std::vector<CorpusTask> tasks;
    nlohmann::json made = nullptr; ///< how it was made, for reproduction; any JSON
    const CorpusTask* task(std::string_view wanted) const; ///< by its name; null: none
};

/// Throws Error, one sentence with file and place: "corpus.missing", "corpus.badJson", "corpus.badDocument"
/// (an unknown or missing key, or a wrong type), "corpus.newer" (a later version).
CorpusDocument readCorpusDocument(const std::filesystem::path& file);
CorpusDocument parseCorpusDocument(std::string_view text, const std::string& name);
/// Returns the text of the document. Equal documents give equal bytes.
std::string corpusDocumentText(const CorpusDocument& document);
/// Writes corpusDocumentText atomically. Throws Error "corpus.unwritable".
void writeCorpusDocument(const std::filesystem::path& file, const CorpusDocument& document);

/// "train_st_de.tsv"
std::string corpusTableName(std::string_view split, std::string_view task);
/// "st_de.sentencepiece.model"
std::string corpusTokenizerName(std::string_view task);
/// "translate.source.sentencepiece.model": of the sources of parallel text, if the languages share no vocabulary.
std::string corpusSourceTokenizerName(std::string_view task);

} // namespace headroom
