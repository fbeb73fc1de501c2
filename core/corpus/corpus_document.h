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

/// What is learnt from a recording: "asr" (the same language), "st_de" (a translation). The name is part of
/// file names: letters, digits, '-' and '_'.
struct CorpusTask {
    std::string name;
    std::string source, target; ///< languages of the document; where it has none, "source", "target" or empty
    bool isTranslation() const { return source != target; }
};

/// corpus.json, whose schema is in README.md of this folder. A value.
struct CorpusDocument {
    std::string name;
    std::string about; ///< a sentence for people; may be empty
    SampleRate sampleRate{kModelSampleRate};
    std::vector<std::string> languages; ///< "en", "de" …, the spoken ones first
    std::vector<std::string> splits;    ///< "train", "dev", "test"; letters, digits, '-' and '.'
    std::vector<CorpusTask> tasks;
    nlohmann::json made = nullptr; ///< how it was made, for people and for reproduction; any JSON
};

/// Throws Error, one sentence with file and place: "corpus.missing", "corpus.badJson", "corpus.badDocument"
/// (a key that is unknown, missing or of the wrong kind), "corpus.newer" (a version after ours).
CorpusDocument readCorpusDocument(const std::filesystem::path& file);
CorpusDocument parseCorpusDocument(std::string_view text, const std::string& name);
/// The document as bytes: equal documents give equal bytes.
std::string corpusDocumentText(const CorpusDocument& document);
/// corpusDocumentText, atomically. Throws Error "corpus.unwritable".
void writeCorpusDocument(const std::filesystem::path& file, const CorpusDocument& document);

/// "train_st_de.tsv"
std::string corpusTableName(std::string_view split, std::string_view task);
/// "st_de.sentencepiece.model"
std::string corpusTokenizerName(std::string_view task);

} // namespace headroom
