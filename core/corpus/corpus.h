// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/corpus_document.h"

#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// One recording of a corpus and its transcript, or one pair of sentences of parallel text. Paths are absolute, or relative to where the corpus was
/// opened from. The recording existed when the corpus was opened, unless only texts were wanted: then it is not named.
struct Utterance {
    std::string id; ///< unique in its table
    std::filesystem::path audio;  ///< a file, or a part of one (core/audio/audio_name.h); empty in parallel text
    std::optional<Frames> frames; ///< feature frames of 10 ms according to the table; `nullopt` if unknown
    std::string text;             ///< the training target: transcript or translation; may be empty
    std::string sourceText;       ///< the transcript in a translation task, may be empty; the source of parallel text
    std::string speaker;          ///< may be empty
    std::filesystem::path
        alignment; ///< a file that is there, for readAlignment (TextGrid, CTM, table, list); empty: none
};

/// A defect of a row. The corpus is opened without the row, or without the defective part of it.
struct CorpusProblem {
    std::string code;     ///< "corpus.missingAudio", "corpus.emptyText" …; README.md lists them
    std::string sentence; ///< names file, line, utterance and the problem
    std::string file;     ///< relative to the corpus
    int line = 0;         ///< from 1; 0 for the whole file
    bool leftOut = false; ///< the utterance is not in the list
};

/// The utterances of one split for one task, in file order.
struct CorpusTable {
    std::string split, task;
    std::vector<Utterance> utterances;
};

/// Bytes of the tables that are read, and of all: while a large corpus is opened. On the thread that opens it.
using CorpusProgress = std::function<void(std::int64_t done, std::int64_t total)>;

/// A folder of recordings for training or studies, of one of three kinds:
/// - a corpus: `corpus.json`, `SPLIT_TASK.tsv`, `alignments/ID.TextGrid` (or .ctm, .tsv, .csv, .phn, or a
///   list that contains the id: core/alignment/readers.h);
/// - a manifest: `manifest.tsv` with the columns id, audio, n_samples, sample_rate, text, translation,
///   alignment, speaker (only id and audio are required); one split, "all", tasks "asr" and "st";
/// - recordings, found in the folder and its subfolders, with an alignment (its words) or `.txt` of the same
///   stem beside them, or in `alignments` beside them; one task, "asr"; ids are paths without the suffix. A folder named as a
///   split is (train, dev, test, valid, validation, val, eval; also "test-clean") is this split, recordings elsewhere are in "all".
///
/// A recording may be part of a longer file, "talk.wav:160000:32000" (first sample, number of samples, at the
/// file's own rate). Paths in tables stay inside the folder: rows with absolute paths or `..` are rejected. Memory is that of
/// the tables. A value. open() blocks, so call it off the window's thread.
class Corpus {
public:
    enum class Kind { Tables, Manifest, Recordings };
    /// What is wanted of tables. Texts: recordings and alignments are not looked for, so that a row counts whether its recording
    /// is there or not, and no utterance has them.
    enum class Wanted { Everything, Texts };

    /// Opens a folder, or its corpus.json or manifest.tsv. Throws Error "corpus.missing" (no such folder),
    /// "corpus.notACorpus" (no recordings in it), and the errors of readCorpusDocument. Defective rows do not
    /// throw; problems() lists them. What a large corpus of tables holds is kept in the user's cache (corpus_index.h), so
    /// that it opens quickly the next time, unless a table or a folder has changed.
    static Corpus open(const std::filesystem::path& path, const CorpusProgress& progress = {}, Wanted wanted = Wanted::Everything);

    const std::filesystem::path& folder() const { return m_folder; }
    Kind kind() const { return m_kind; }
    /// The document. For kinds without one: the folder's name, and the splits and tasks found.
    const CorpusDocument& document() const { return m_document; }
    const std::vector<CorpusTable>& tables() const { return m_tables; }
    /// Throws Error "corpus.noSplit" or "corpus.noTask", which list the existing ones.
    const std::vector<Utterance>& utterances(std::string_view split, std::string_view task) const;
    /// The problems, ordered by table and line.
    const std::vector<CorpusProblem>& problems() const { return m_problems; }
    /// The files and folders on which all this depends, also those that are missing. Recordings are not among them, because opening reads
    /// none.
    const std::vector<std::filesystem::path>& sources() const { return m_sources; }

private:
    std::filesystem::path m_folder;
    Kind m_kind = Kind::Recordings;
    CorpusDocument m_document;
    std::vector<CorpusTable> m_tables;
    std::vector<CorpusProblem> m_problems;
    std::vector<std::filesystem::path> m_sources;
};

/// Returns the text of `SPLIT_TASK.tsv`: id, audio (relative to `folder`), n_frames (empty if unknown),
/// tgt_text, speaker, and src_text for a translation. Throws Error "corpus.outside" for a recording outside
/// the folder.
std::string corpusTableText(const std::filesystem::path& folder, const std::vector<Utterance>& utterances,
                            bool translation);
/// Returns the same of parallel text: id, src_text, tgt_text.
std::string parallelTableText(const std::vector<Utterance>& utterances);
/// Writes this text atomically. Throws Error "corpus.unwritable".
void writeCorpusTable(const std::filesystem::path& folder, const std::string& split, const CorpusTask& task,
                      const std::vector<Utterance>& utterances);

} // namespace headroom
