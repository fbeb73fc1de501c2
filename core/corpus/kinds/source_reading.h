// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/audio_name.h"
#include "core/corpus/corpus.h"
#include "core/corpus/kinds/import_corpus.h"
#include "core/time/units.h"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace headroom {

/// Where a corpus says something.
struct SourcePlace {
    std::string file; ///< relative to the folder
    int line = 0;     ///< from 1; 0 for the whole file
};

/// An utterance as another corpus describes it, not yet checked against its recording.
struct SourceUtterance {
    std::string split, id, speaker;
    std::filesystem::path audio; ///< empty in parallel text
    std::optional<AudioPart> part;            ///< a segment in samples
    std::optional<Seconds> start, duration;   ///< a segment in seconds; no duration: up to the end
    double speed = 1;                         ///< core/audio/audio_name.h
    std::optional<int> statedRate;            ///< Hz, if the corpus says it
    std::optional<std::int64_t> statedFrames; ///< of features, if the corpus says it
    std::map<std::string, std::string> texts; ///< by language
    std::filesystem::path alignment;
    SourcePlace place;
};

/// What a reader of core/corpus/kinds reads into. One thread.
class SourceReading {
public:
    explicit SourceReading(const CorpusImport& request) : m_request(request) {}
    ~SourceReading();
    SourceReading(const SourceReading&) = delete;
    SourceReading& operator=(const SourceReading&) = delete;

    const std::filesystem::path& folder() const { return m_request.from; }
    const CorpusImport& request() const { return m_request; }
    /// The spoken language: the request's, else what the reader found, else "und".
    std::string language() const;
    void setLanguage(const std::string& found) { m_language = found; }

    void add(SourceUtterance utterance) { m_utterances.push_back(std::move(utterance)); }
    void problem(const std::string& code, const SourcePlace& place, const std::string& id,
                 const std::string& what, bool leftOut = true);
    void note(const std::string& sentence) { m_notes.push_back(sentence); }

    /// Returns the path of a recording named in a table: OLD=NEW is applied, and what is relative lies in
    /// `base`.
    std::filesystem::path audioPath(const std::string& named, const std::filesystem::path& base) const;
    /// Lists each folder once.
    bool isFile(const std::filesystem::path& file) const;
    std::string relativeName(const std::filesystem::path& file) const;
    /// Whether the request names this split as a source of one of its own.
    bool isAsked(const std::string& split) const;
    /// The id of a segment whose table gives it none: NAME_0, NAME_1 … in the order of the table, NAME being its recording's. The
    /// same segment keeps its number.
    std::string segmentId(const SourceUtterance& segment, const std::string& name);

    /// Calls `line` for every line that is not empty and is UTF-8. Defects of the file become problems;
    /// returns false if it could not be read to its end.
    bool eachLine(const std::filesystem::path& file,
                  const std::function<void(const std::string&, const SourcePlace&)>& line);
    /// The lines of parallel text; empty lines and lines that are not UTF-8 stay, as empty text.
    std::vector<std::string> alignedLines(const std::filesystem::path& file);

    /// A folder beside the new corpus for recordings that a reader takes out of other files; they are moved
    /// into the corpus. Made by the first call; goes with this object. Throws filesystem_error.
    const std::filesystem::path& unpackedFolder();
    /// Empty if there is none.
    const std::filesystem::path& unpackedSoFar() const { return m_unpacked; }

    std::vector<SourceUtterance>& utterances() { return m_utterances; }
    std::vector<CorpusProblem>& problems() { return m_problems; }
    const std::vector<CorpusProblem>& problemsSoFar() const { return m_problems; }
    std::vector<std::string>& notes() { return m_notes; }

private:
    const CorpusImport& m_request;
    std::filesystem::path m_unpacked;
    std::string m_language;
    std::vector<SourceUtterance> m_utterances;
    std::vector<CorpusProblem> m_problems;
    std::vector<std::string> m_notes;
    mutable std::unordered_map<std::string, std::unordered_set<std::string>> m_listed;
    std::unordered_map<std::string, std::map<std::pair<double, double>, std::size_t>> m_segments; ///< by split and recording
};

/// Returns the files in a folder and below, sorted, at most `depth` folders down (0: the folder alone) and at
/// most `limit` entries looked at, for which `wanted` holds. Links to folders are followed at the top only.
std::vector<std::filesystem::path>
filesBelow(const std::filesystem::path& folder, int depth, std::size_t limit,
           const std::function<bool(const std::filesystem::path&)>& wanted);
/// The folders in a folder, sorted.
std::vector<std::filesystem::path> foldersIn(const std::filesystem::path& folder);
/// Returns `name` in lower case (ASCII).
std::string lowered(std::string name);
/// Returns FOLDER/STEM with the first ending of recordings (core/audio/sound_endings.h) that is there, else with ".wav".
std::filesystem::path soundWithStem(const SourceReading& reading, const std::filesystem::path& stem);
inline constexpr std::size_t kEveryFile = static_cast<std::size_t>(-1);

void readLibriSpeech(SourceReading& reading);
void readKaldi(SourceReading& reading);
void readMustC(SourceReading& reading);
void readEuroparl(SourceReading& reading);
void readCommonVoice(SourceReading& reading);
void readCovost(SourceReading& reading);
void readFairseq(SourceReading& reading);
void readNemo(SourceReading& reading);
void readLhotse(SourceReading& reading);
void readTimit(SourceReading& reading);
void readAishell(SourceReading& reading);
void readColumns(SourceReading& reading);
void readAudioFolder(SourceReading& reading);
void readParquet(SourceReading& reading);
void readArrow(SourceReading& reading);
void readOwn(SourceReading& reading);
void readMoses(SourceReading& reading);
void readParallelTable(SourceReading& reading);

bool looksLikeLibriSpeech(const std::filesystem::path& folder);
bool looksLikeKaldi(const std::filesystem::path& folder);
bool looksLikeMustC(const std::filesystem::path& folder);
bool looksLikeMtedx(const std::filesystem::path& folder);
bool looksLikeEuroparl(const std::filesystem::path& folder);
bool looksLikeCommonVoice(const std::filesystem::path& folder);
bool looksLikeCovost(const std::filesystem::path& folder);
bool looksLikeFairseq(const std::filesystem::path& folder);
bool looksLikeNemo(const std::filesystem::path& folder);
bool looksLikeLhotse(const std::filesystem::path& folder);
bool looksLikeTimit(const std::filesystem::path& folder);
bool looksLikeAishell(const std::filesystem::path& folder);
bool looksLikeColumns(const std::filesystem::path& folder);
bool looksLikeParquet(const std::filesystem::path& folder);
bool looksLikeArrow(const std::filesystem::path& folder);
bool looksLikeAudioFolder(const std::filesystem::path& folder);
bool looksLikeOwn(const std::filesystem::path& folder);
bool looksLikeMoses(const std::filesystem::path& folder);
bool looksLikeParallelTable(const std::filesystem::path& folder);
bool looksLikeRecordings(const std::filesystem::path& folder);

} // namespace headroom
