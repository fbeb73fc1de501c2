// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus.h"

#include <functional>
#include <unordered_map>
#include <unordered_set>

namespace headroom {

/// What the three ways of reading a corpus share. Internal to core/corpus. One thread.
class CorpusReading {
public:
    CorpusReading(std::filesystem::path folder, std::vector<CorpusProblem>& problems)
        : m_folder(std::move(folder))
        , m_problems(problems) {}

    struct Place {
        std::string file; ///< relative to the folder
        int line = 0;
        std::string id;
    };
    void problem(const std::string& code, const Place& place, const std::string& what, bool leftOut);
    /// A file named in a table: the path where it is there; else nothing, and the problem is noted.
    std::optional<std::filesystem::path> fileOf(const std::string& relative, const Place& place,
                                                const std::string& what, bool leftOut);
    bool isFile(const std::filesystem::path& file);
    /// The alignment of an utterance in one of these folders: FOLDER/STEM.TextGrid (.ctm, .tsv, .csv, .phn),
    /// else a list that has it. Empty where there is none.
    std::filesystem::path alignmentIn(const std::vector<std::filesystem::path>& folders,
                                      const std::string& stem);
    /// Notes a second one of the same name; call startTable() before each table.
    bool isNew(const std::string& id, const Place& place);
    void startTable() { m_lines.clear(); }

    const std::filesystem::path& folder() const { return m_folder; }

private:
    std::filesystem::path m_folder;
    std::vector<CorpusProblem>& m_problems;
    std::unordered_map<std::string, int> m_lines;
    std::unordered_map<std::string, std::unordered_set<std::string>> m_listed;   ///< folders already read
    std::unordered_map<std::string, std::vector<std::filesystem::path>> m_lists; ///< of alignments, by folder
};

/// The header of a table, and the fields of its rows by name.
class TableColumns {
public:
    explicit TableColumns(std::vector<std::string> names) : m_names(std::move(names)) {}
    /// −1: absent.
    int indexOf(std::string_view name) const;
    std::size_t size() const { return m_names.size(); }
    /// Empty where the column is absent.
    std::string field(const std::vector<std::string>& row, std::string_view name) const;

private:
    std::vector<std::string> m_names;
};

/// Reads header and rows of one table. `row` gets every row with as many fields as the header, in valid text,
/// with an id that is new; the others become problems.
void readTable(CorpusReading& reading, const std::string& file, const std::vector<std::string>& required,
               const std::function<void(const TableColumns&, const std::vector<std::string>&,
                                        const CorpusReading::Place&)>& row);

/// A whole number ≥ 0, or nothing.
std::optional<std::int64_t> wholeNumber(std::string_view text);

/// Feature frames of a recording: 25 ms windows every 10 ms, none beyond the end (reference: Kaldi's
/// snip-edges).
Frames framesOf(std::int64_t samples, SampleRate rate);

void readTables(CorpusReading& reading, const CorpusDocument& document, std::vector<CorpusTable>& tables);
void readManifest(CorpusReading& reading, CorpusDocument& document, std::vector<CorpusTable>& tables);
void readRecordings(CorpusReading& reading, CorpusDocument& document, std::vector<CorpusTable>& tables);

} // namespace headroom
