// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/column_row.h"
#include "core/corpus/kinds/json_lines.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

bool isNemoManifest(const fs::path& file) {
    return isJsonLines(file) && firstLineHas(file, "audio_filepath");
}

/// "train_manifest" → "train"; "manifest" → "all"
std::string nemoSplit(std::string stem) {
    for (const char* word : {"_manifest", "-manifest", "manifest_", "manifest-"})
        if (const auto at = stem.find(word); at != std::string::npos)
            stem.erase(at, std::string_view(word).size());
    return stem.empty() || stem == "manifest" ? "all" : stem;
}

class NemoManifest {
public:
    NemoManifest(SourceReading& reading, const fs::path& file)
        : m_reading(reading)
        , m_file(file)
        , m_split(nemoSplit(stemOfJsonLines(file))) {}

    void read() {
        readJsonLines(m_reading, m_file,
                      [&](const nlohmann::json& row, const SourcePlace& place) { this->row(row, place); });
    }

private:
    void row(const nlohmann::json& row, const SourcePlace& place) {
        const auto named = textOfJson(row, "audio_filepath");
        if (named.empty())
            return m_reading.problem("corpus.noAudio", place, {}, "the row has no audio_filepath");
        const auto file = m_reading.audioPath(named, m_file.parent_path());
        SourceUtterance utterance;
        utterance.split = m_split;
        utterance.audio = file;
        utterance.place = place;
        utterance.speaker = textOfJson(row, "speaker");
        if (const auto offset = numberOfJson(row, "offset")) {
            utterance.start = Seconds(*offset);
            if (const auto duration = numberOfJson(row, "duration"))
                utterance.duration = Seconds(*duration);
        }
        utterance.id = idOf(row, utterance);
        const auto spoken = firstOf(row, {"source_lang", "lang"});
        if (!spoken.empty())
            m_reading.setLanguage(spoken);
        const auto target = firstOf(row, {"target_lang", "tgt_lang"});
        const auto text = firstOf(row, {"text", "answer"});
        const auto translation = firstOf(row, {"translation", "tgt_text"});
        const bool translates = !target.empty() && target != m_reading.language();
        if (!translation.empty()) { // beside the transcript, as in tables
            utterance.texts[m_reading.language()] = text;
            utterance.texts[target.empty() || target == m_reading.language() ? kUnnamedTarget : target] = translation;
        } else if (translates) {
            utterance.texts[target] = text;
            if (const auto source = textOfJson(row, "src_text"); !source.empty())
                utterance.texts[m_reading.language()] = source;
        } else {
            utterance.texts[m_reading.language()] = text;
        }
        join(std::move(utterance));
    }

    /// The line of another task for the same id adds its text.
    void join(SourceUtterance utterance) {
        const auto [at, fresh] = m_rows.try_emplace(utterance.id, m_reading.utterances().size());
        if (fresh)
            return m_reading.add(std::move(utterance));
        auto& known = m_reading.utterances()[at->second];
        const bool isSame = known.audio == utterance.audio && known.start == utterance.start;
        for (auto& [language, text] : utterance.texts)
            if (!isSame || (known.texts.contains(language) && known.texts[language] != text))
                return m_reading.problem("corpus.sameId", utterance.place, utterance.id,
                                         "line " + std::to_string(known.place.line) + " has the same id");
        known.texts.merge(utterance.texts);
    }

    /// Rows seldom have an id: the stem of the file, and of a segment its place in the file.
    std::string idOf(const nlohmann::json& row, const SourceUtterance& utterance) {
        if (auto given = firstOf(row, {"id", "utt_id", "utterance_id"}); !given.empty())
            return given;
        const fs::path& file = utterance.audio;
        const auto stem = file.stem().string();
        const bool isAlone = m_stemFiles.try_emplace(stem, file.string()).first->second == file.string(); // no a.wav in two folders
        const auto path = [&] { return file.lexically_relative(m_file.parent_path()).replace_extension().generic_string(); };
        if (utterance.start)
            return m_reading.segmentId(utterance, isAlone ? stem : path());
        return isAlone && m_whole.insert(file.string()).second ? stem : path();
    }

    static std::string firstOf(const nlohmann::json& row, std::initializer_list<const char*> keys) {
        for (const char* key : keys)
            if (auto text = textOfJson(row, key); !text.empty())
                return text;
        return {};
    }

    SourceReading& m_reading;
    fs::path m_file;
    std::string m_split;
    std::unordered_map<std::string, std::size_t> m_rows;
    std::unordered_set<std::string> m_whole; ///< recordings of which a row without a segment was read
    std::unordered_map<std::string, std::string> m_stemFiles;
};

} // namespace

bool looksLikeNemo(const fs::path& folder) {
    return !filesBelow(folder, 1, 3000, isNemoManifest).empty();
}

void readNemo(SourceReading& reading) {
    for (const auto& file : filesBelow(reading.folder(), 1, kEveryFile, isNemoManifest))
        NemoManifest(reading, file).read();
}

} // namespace headroom
