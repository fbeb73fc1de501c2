// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace headroom {

/// What reading a corpus found, kept in one file of the user's cache so that a large corpus opens quickly the
/// next time. Internal to core/corpus. One thread.
///
/// An index counts only while nothing that was read has changed: a table or list of alignments by size and
/// time, or, if the time alone differs, by SHA-256; a folder of recordings or alignments by its time, which
/// changes when files come or go. A recording whose contents change keeps its entry, since opening a corpus
/// reads no recording.
struct CorpusIndex {
    struct Source {
        std::string path; ///< relative to the corpus
        bool isFolder = false;
        std::int64_t size = 0, time = -1; ///< bytes; nanoseconds. −1: not there
        std::string hash;                 ///< SHA-256 of a file
        bool operator==(const Source&) const = default;
    };
    std::vector<Source> sources;
    std::vector<std::string> splits;
    std::vector<CorpusTask> tasks; ///< of a manifest; of a corpus those of corpus.json
    std::vector<CorpusTable> tables;
    std::vector<CorpusProblem> problems;

    /// $XDG_CACHE_HOME/headroom/corpora/HASH.index, else in ~/.cache; empty without a home folder.
    static std::filesystem::path fileFor(const std::filesystem::path& folder);
    /// Returns the index of `folder` if there is one and it counts; `nullopt` otherwise, also for a damaged
    /// file.
    static std::optional<CorpusIndex> read(const std::filesystem::path& file,
                                           const std::filesystem::path& folder);
    /// Writes it. Returns false if the cache cannot be written: the corpus is then read again the next time.
    bool write(const std::filesystem::path& file, const std::filesystem::path& folder) const;

    /// The present state of a file or folder of the corpus.
    static Source sourceOf(const std::filesystem::path& folder, const std::string& relative, bool isFolder);
};

} // namespace headroom
