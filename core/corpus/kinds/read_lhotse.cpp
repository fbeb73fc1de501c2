// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/json_lines.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

bool hasWord(const fs::path& file, const char* word) {
    return isJsonLines(file) && file.filename().string().find(word) != std::string::npos;
}
bool isRecordingSet(const fs::path& file) {
    return hasWord(file, "recordings") && firstLineHas(file, "sources");
}
bool isCutSet(const fs::path& file) {
    return hasWord(file, "cuts") && firstLineHas(file, "supervisions");
}

/// "librispeech_recordings_train-clean-5" → "train-clean-5"; "recordings" → "all"
std::string lhotseSplit(const fs::path& file, const std::string& word) {
    auto stem = stemOfJsonLines(file);
    const auto at = stem.find(word);
    auto split = stem.substr(at + word.size());
    while (split.starts_with('_') || split.starts_with('-') || split.starts_with('.'))
        split.erase(0, 1);
    if (split.empty() && at > 1)
        split = stem.substr(0, at - 1);
    return split.empty() ? "all" : split;
}

struct LhotseRecording {
    fs::path file;
    std::string refusal; ///< why it cannot be read; empty: it can
    std::string code = "corpus.badRow";
    int rate = 0;
    std::size_t channels = 1;
};

LhotseRecording recordingOf(const SourceReading& reading, const nlohmann::json& row, const fs::path& base) {
    LhotseRecording recording;
    const auto sources = row.find("sources");
    if (sources == row.end() || !sources->is_array() || sources->size() != 1) {
        recording.refusal = "the recording does not have exactly one source; write its channels to one file";
        return recording;
    }
    const auto& source = sources->front();
    const auto type = textOfJson(source, "type");
    if (type == "command") {
        recording.code = "corpus.pipe";
        recording.refusal =
            "the recording is the output of a command, which is never run; write it to a file first";
    } else if (type != "file") {
        recording.refusal = "the recording is a “" + type + "” and no file; save the manifest with files";
    } else if (row.contains("transforms") && !row["transforms"].empty()) {
        recording.refusal = "the recording is transformed (speed, volume …); Headroom reads originals only";
    }
    recording.file = reading.audioPath(textOfJson(source, "source"), base);
    recording.rate = static_cast<int>(numberOfJson(row, "sampling_rate").value_or(0));
    if (source.contains("channels") && source["channels"].is_array())
        recording.channels = source["channels"].size();
    return recording;
}

class LhotseSet {
public:
    LhotseSet(SourceReading& reading, fs::path base, std::string split)
        : m_reading(reading)
        , m_base(std::move(base))
        , m_split(std::move(split)) {}

    void readManifests(const fs::path& recordings, const fs::path& supervisions) {
        readJsonLines(m_reading, recordings, [&](const nlohmann::json& row, const SourcePlace& place) {
            const auto id = textOfJson(row, "id");
            if (!m_recordings.try_emplace(id, recordingOf(m_reading, row, m_base)).second)
                m_reading.problem("corpus.sameId", place, id, "the recording occurs twice");
        });
        readJsonLines(m_reading, supervisions, [&](const nlohmann::json& row, const SourcePlace& place) {
            const auto id = textOfJson(row, "id");
            const auto found = m_recordings.find(textOfJson(row, "recording_id"));
            if (found == m_recordings.end())
                return m_reading.problem("corpus.missingAudio", place, id,
                                         "the recordings have no " + textOfJson(row, "recording_id"));
            add(id, row, found->second, 0, place);
        });
    }

    void readCuts(const fs::path& cuts) {
        readJsonLines(m_reading, cuts, [&](const nlohmann::json& row, const SourcePlace& place) {
            const auto id = textOfJson(row, "id");
            const auto recording = row.find("recording");
            const auto supervisions = row.find("supervisions");
            if (recording == row.end() || !recording->is_object())
                return m_reading.problem(
                    "corpus.badRow", place, id,
                    "the cut has no recording of its own; mixed and padded cuts are not read");
            if (supervisions == row.end() || !supervisions->is_array() || supervisions->size() != 1)
                return m_reading.problem(
                    "corpus.badRow", place, id,
                    "the cut does not have exactly one supervision; trim it to its supervisions first");
            auto supervision = supervisions->front();
            supervision["start"] = numberOfJson(row, "start").value_or(0);
            supervision["duration"] = numberOfJson(row, "duration").value_or(0);
            add(id, supervision, recordingOf(m_reading, *recording, m_base), 0, place);
        });
    }

private:
    void add(const std::string& id, const nlohmann::json& row, const LhotseRecording& recording,
             double offset, const SourcePlace& place) {
        if (!recording.refusal.empty())
            return m_reading.problem(recording.code, place, id, recording.refusal);
        const auto start = numberOfJson(row, "start"), duration = numberOfJson(row, "duration");
        if (!start || !duration)
            return m_reading.problem("corpus.badSegment", place, id,
                                     "start or duration is not a number of seconds");
        const auto channel = row.find("channel");
        const bool hasAll =
            channel != row.end() && channel->is_array() && channel->size() == recording.channels;
        if (recording.channels != 1 && !hasAll)
            return m_reading.problem(
                "corpus.channel", place, id,
                "the supervision is one channel of several; write each to a file of its own");
        SourceUtterance utterance;
        utterance.split = m_split;
        utterance.id = id;
        utterance.speaker = textOfJson(row, "speaker");
        utterance.audio = recording.file;
        utterance.start = Seconds(offset + *start);
        utterance.duration = Seconds(*duration);
        if (recording.rate > 0)
            utterance.statedRate = recording.rate;
        if (auto language = textOfJson(row, "language"); !language.empty())
            m_reading.setLanguage(language);
        if (row.contains("text"))
            utterance.texts[m_reading.language()] = textOfJson(row, "text");
        if (const auto custom = row.find("custom"); custom != row.end() && custom->is_object())
            addTranslations(*custom, utterance);
        utterance.place = place;
        m_reading.add(std::move(utterance));
    }

    /// custom.translated_text {"de": "…"} or custom.tgt_text with custom.tgt_lang
    static void addTranslations(const nlohmann::json& custom, SourceUtterance& utterance) {
        if (const auto texts = custom.find("translated_text"); texts != custom.end() && texts->is_object())
            for (const auto& [language, text] : texts->items())
                if (text.is_string())
                    utterance.texts[language] = text.get<std::string>();
        if (const auto target = textOfJson(custom, "tgt_lang");
            !target.empty() && custom.contains("tgt_text"))
            utterance.texts[target] = textOfJson(custom, "tgt_text");
    }

    SourceReading& m_reading;
    fs::path m_base;
    std::string m_split;
    std::unordered_map<std::string, LhotseRecording> m_recordings;
};

} // namespace

bool looksLikeLhotse(const fs::path& folder) {
    return !filesBelow(folder, 0, 3000, [](const fs::path& file) {
                return isRecordingSet(file) || isCutSet(file);
            }).empty();
}

void readLhotse(SourceReading& reading) {
    const auto sets = filesBelow(reading.folder(), 0, kEveryFile, isRecordingSet);
    for (const auto& recordings : sets) {
        auto name = recordings.filename().string();
        name.replace(name.find("recordings"), 10, "supervisions");
        LhotseSet(reading, reading.folder(), lhotseSplit(recordings, "recordings"))
            .readManifests(recordings, reading.folder() / name);
    }
    if (!sets.empty()) // cuts repeat them
        return;
    for (const auto& cuts : filesBelow(reading.folder(), 0, kEveryFile, isCutSet))
        LhotseSet(reading, reading.folder(), lhotseSplit(cuts, "cuts")).readCuts(cuts);
}

} // namespace headroom
