// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus_document.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// One recording of a corpus with what is said in it. Paths are absolute or relative to where the corpus was
/// opened from; the recording was there when the corpus was opened.
struct Utterance {
    std::string id; ///< unique in its table
    std::filesystem::path audio;
    std::optional<Frames> frames; ///< feature frames of 10 ms, as promised by the table; unknown: nothing
    std::string text;             ///< what is to be learnt: the transcript, or the translation; may be empty
    std::string sourceText;       ///< what is said, in a translation task; may be empty
    std::string speaker;          ///< may be empty
    std::filesystem::path
        alignment; ///< a file that is there, for readAlignment (TextGrid, CTM, table, list); empty: none
};

/// A row that is not as it should be. The corpus goes on without it, or without what is wrong in it.
struct CorpusProblem {
    std::string code;     ///< "corpus.missingAudio", "corpus.emptyText" …; the list is in README.md
    std::string sentence; ///< names file, line, utterance and what is wrong
    std::string file;     ///< relative to the corpus
    int line = 0;         ///< from 1; 0: the file as a whole
    bool leftOut = false; ///< the utterance is not in the list
};

/// The utterances of one split for one task, in the order of the file.
struct CorpusTable {
    std::string split, task;
    std::vector<Utterance> utterances;
};

/// A folder of recordings to learn from or to study, of one of three kinds:
/// - a corpus: `corpus.json`, `SPLIT_TASK.tsv`, `alignments/ID.TextGrid` (or .ctm, .tsv, .csv, .phn, or a
/// list
///   that has the id: core/alignment/readers.h);
/// - a manifest: `manifest.tsv` with the columns id, audio, n_samples, sample_rate, text, translation,
///   alignment, speaker (all but id and audio may be absent); one split, "all", tasks "asr" and "st";
/// - recordings, found in the folder and those below it, with an alignment (its words) or `.txt` of the same
///   stem beside them, or in `alignments` beside them; one split, "all", one task, "asr"; ids are paths
///   without the suffix.
/// Paths in tables stay inside the folder: absolute ones and those with `..` are refused row by row. Memory
/// is that of the tables. A value; open() blocks, so call it off the window's thread.
class Corpus {
public:
    enum class Kind { Tables, Manifest, Recordings };

    /// `path`: the folder, or its corpus.json or manifest.tsv. Throws Error "corpus.missing" (no such
    /// folder), "corpus.notACorpus" (no recordings in it), and what readCorpusDocument throws. Rows that are
    /// not as they should be do not throw: they are all in problems().
    static Corpus open(const std::filesystem::path& path);

    const std::filesystem::path& folder() const { return m_folder; }
    Kind kind() const { return m_kind; }
    /// For the kinds without a document: the folder's name, splits and tasks as found.
    const CorpusDocument& document() const { return m_document; }
    const std::vector<CorpusTable>& tables() const { return m_tables; }
    /// Throws Error "corpus.noSplit" or "corpus.noTask", naming those that there are.
    const std::vector<Utterance>& utterances(std::string_view split, std::string_view task) const;
    /// In the order of tables and lines.
    const std::vector<CorpusProblem>& problems() const { return m_problems; }

private:
    std::filesystem::path m_folder;
    Kind m_kind = Kind::Recordings;
    CorpusDocument m_document;
    std::vector<CorpusTable> m_tables;
    std::vector<CorpusProblem> m_problems;
};

/// The bytes of `SPLIT_TASK.tsv`: id, audio (relative to `folder`), n_frames (empty where unknown), tgt_text,
/// speaker, and for a translation src_text. Throws Error "corpus.outside" for a recording outside the folder.
std::string corpusTableText(const std::filesystem::path& folder, const std::vector<Utterance>& utterances,
                            bool translation);
/// The same into a file, atomically. Throws Error "corpus.unwritable".
void writeCorpusTable(const std::filesystem::path& folder, const std::string& split, const CorpusTask& task,
                      const std::vector<Utterance>& utterances);

} // namespace headroom
