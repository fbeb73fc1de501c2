// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

struct ExportedSplit;

/// A form in which other toolkits read a corpus.
struct ExportKind {
    std::string_view name;  ///< also of the kind in corpusKinds() that reads it
    std::string_view about; ///< one sentence: what is written
    /// Writes the files of one split. Throws Error "corpus.notExported" for what the form cannot say.
    void (*write)(const ExportedSplit& split, const std::filesystem::path& folder);
};

std::span<const ExportKind> exportKinds();
/// Throws Error "corpus.noKind", which lists the known ones.
const ExportKind& exportKind(std::string_view name);

/// Writes a corpus of ours as the tables of another toolkit into the folder `out`, which is new or empty. The recordings stay
/// where they are: the tables name them by absolute paths. Ids, speakers, languages, texts, translations and
/// the exact samples of segments survive: read again (importCorpus), the same tables result. Splits without
/// utterances are not written, and tables of Kaldi are sorted by id. Throws Error: those of Corpus::open,
/// "corpus.exists", "corpus.notExported", "corpus.unwritable". Blocks.
void exportCorpus(const std::filesystem::path& corpus, const ExportKind& kind,
                  const std::filesystem::path& out);

} // namespace headroom
