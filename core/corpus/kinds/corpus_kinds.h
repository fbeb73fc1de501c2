// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace headroom {

class SourceReading;

/// A way in which others keep a corpus on disk. `corpus --help`, the recognition and the window read this
/// table.
struct CorpusKind {
    std::string_view name;  ///< "librispeech"
    std::string_view about; ///< one sentence: what is expected in the folder
    /// Returns whether a folder looks like this kind. Reads names and at most a few lines.
    bool (*recognise)(const std::filesystem::path& folder);
    /// Reads every utterance. Throws Error if nothing can be read.
    void (*read)(SourceReading& reading);
    bool isText = false; ///< parallel text: no recordings
};

/// Returns the kinds; those that are told apart by more come first.
std::span<const CorpusKind> corpusKinds();
/// Throws Error "corpus.noKind", which lists the known ones.
const CorpusKind& corpusKind(std::string_view name);
/// Returns the first kind that a folder looks like. Throws Error "corpus.unknownKind" if there is none.
const CorpusKind& recogniseCorpusKind(const std::filesystem::path& folder);

} // namespace headroom
