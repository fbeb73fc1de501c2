// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus_index.h"

#include <functional>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace headroom {

/// Helpers shared by the three readers of a corpus. Internal to core/corpus. One thread.
class CorpusReading {
public:
    CorpusReading(std::filesystem::path folder, std::vector<CorpusProblem>& problems, CorpusProgress progress = {},
                  bool textsOnly = false)
        : m_textsOnly(textsOnly)
        , m_folder(std::move(folder))
        , m_problems(problems)
        , m_progress(std::move(progress)) {}

    struct Place {
        std::string file; ///< relative to the folder
        int line = 0;
        std::string id;
    };
    /// Recordings and alignments of tables are not looked for.
    bool textsOnly() const { return m_textsOnly; }
    void problem(const std::string& code, const Place& place, const std::string& what, bool leftOut);
    /// Returns the path of a file named in a table; if it is missing, records the problem and returns
    /// `nullopt`.
    std::optional<std::filesystem::path> fileOf(const std::string& relative, const Place& place,
                                                const std::string& what, bool leftOut);
    bool isFile(const std::filesystem::path& file);
    /// Returns the alignment of an utterance in one of these folders: FOLDER/STEM.TextGrid (.ctm, .tsv, .csv,
    /// .phn), otherwise a list that contains it; empty if there is none.
    std::filesystem::path alignmentIn(const std::vector<std::filesystem::path>& folders,
                                      const std::string& stem);
    /// Records a problem for a duplicate id. Call startTable() before each table.
    bool isNew(const std::string& id, const Place& place);
    void startTable(std::size_t rows = 0) {
        m_lines.clear();
        m_lines.reserve(rows);
    }

    const std::filesystem::path& folder() const { return m_folder; }

    /// Notes a file or folder of which the result depends, as it is now; call it before reading. `relative`: to the corpus.
    void dependsOn(const std::string& relative, bool isFolder);
    void dependsOnPath(const std::filesystem::path& path, bool isFolder); ///< the same of a path that begins with the folder's
    const std::vector<CorpusIndex::Source>& sources() const { return m_sources; }

    /// Progress over several tables: the bytes of all, and what of the present one is read.
    void expectBytes(std::int64_t total) { m_total = total; }
    void progressed(std::int64_t bytesOfTable, double share);
    void tableDone(std::int64_t bytesOfTable) { m_done += bytesOfTable; }

private:
    /// A folder that tables name, with what was found out about it once.
    struct NamedFolder {
        bool isOutside = false;
        std::filesystem::path path;
        const std::unordered_set<std::string>* files = nullptr;
    };
    const NamedFolder& folderNamed(const std::string& relative);
    const std::unordered_set<std::string>& filesIn(const std::filesystem::path& folder);

    bool m_textsOnly;
    std::filesystem::path m_folder;
    std::vector<CorpusProblem>& m_problems;
    std::unordered_map<std::string, int> m_lines;
    std::unordered_map<std::string, std::unordered_set<std::string>> m_listed;   ///< folders already read
    std::unordered_map<std::string, NamedFolder> m_named;
    std::unordered_map<std::string, std::vector<std::filesystem::path>> m_lists; ///< of alignments, by folder
    std::vector<CorpusIndex::Source> m_sources;
    CorpusProgress m_progress;
    std::int64_t m_done = 0, m_total = 0;
};

/// The header of a table, and the fields of its rows by name.
class TableColumns {
public:
    explicit TableColumns(std::vector<std::string> names) : m_names(std::move(names)) {}
    /// Returns −1 if absent.
    int indexOf(std::string_view name) const;
    std::size_t size() const { return m_names.size(); }
    /// Returns an empty text if the column is absent.
    std::string field(const std::vector<std::string>& row, std::string_view name) const;

private:
    std::vector<std::string> m_names;
};

/// Reads header and rows of one table. Calls `row` for every row with as many fields as the header, valid
/// text and a new id; other rows become problems.
void readTable(CorpusReading& reading, const std::string& file, const std::vector<std::string>& required,
               const std::function<void(const TableColumns&, const std::vector<std::string>&,
                                        const CorpusReading::Place&)>& row);

/// "corpus.missing": there is no such folder, or it is a file. The sentence has its path as it was given.
Error missingFolder(const std::filesystem::path& folder);

/// Names of splits in the order in which people think of them: train, dev and test first.
std::vector<std::string> inUsualOrder(std::set<std::string> splits);

/// Parses a whole number ≥ 0; `nullopt` otherwise.
std::optional<std::int64_t> wholeNumber(std::string_view text);

/// Returns the feature frames of a recording: 25 ms windows every 10 ms, none beyond the end (Kaldi's
/// snip-edges).
Frames framesOf(std::int64_t samples, SampleRate rate);

void readTables(CorpusReading& reading, const CorpusDocument& document, std::vector<CorpusTable>& tables);
void readManifest(CorpusReading& reading, CorpusDocument& document, std::vector<CorpusTable>& tables);
void readRecordings(CorpusReading& reading, CorpusDocument& document, std::vector<CorpusTable>& tables);

} // namespace headroom
