// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/source_reading.h"
#include "core/corpus/kinds/text_lines.h"

#include <algorithm>

namespace headroom {

namespace fs = std::filesystem;

namespace {

struct KaldiValue {
    std::string value;
    SourcePlace place;
};
using KaldiTable = std::map<std::string, KaldiValue>;

/// One data folder: wav.scp, segments, text, text.LANGUAGE, utt2spk, utt2lang.
class KaldiFolder {
public:
    KaldiFolder(SourceReading& reading, fs::path folder, std::string split)
        : m_reading(reading)
        , m_folder(std::move(folder))
        , m_split(std::move(split)) {}

    void read() {
        m_recordings = table("wav.scp", true);
        m_text = table("text", false);
        m_speakers = table("utt2spk", false);
        const auto languages = table("utt2lang", false);
        if (!languages.empty())
            m_reading.setLanguage(languages.begin()->second.value);
        readTranslations();
        if (m_reading.isFile(m_folder / "segments"))
            readSegments();
        else
            for (const auto& [id, recording] : m_recordings)
                add(id, recording, {}, {}, recording.place);
        const std::string name = m_reading.relativeName(m_folder / "text");
        for (const auto& [id, text] : m_text)
            if (!m_seen.contains(id))
                m_reading.problem("corpus.missingAudio", text.place, id,
                                  "the transcript belongs to no line of wav.scp or segments");
    }

private:
    KaldiTable table(const std::string& name, bool needed) {
        KaldiTable rows;
        if (!needed && !m_reading.isFile(m_folder / name))
            return rows;
        m_reading.eachLine(m_folder / name, [&](const std::string& line, const SourcePlace& place) {
            auto [id, value] = firstWord(line);
            const auto [first, fresh] = rows.try_emplace(id, KaldiValue{std::move(value), place});
            if (!fresh)
                m_reading.problem("corpus.sameId", place, id,
                                  "line " + std::to_string(first->second.place.line) + " has the same id");
        });
        return rows;
    }

    /// text.de; where there is also ESPnet's text.tc.de (true case), this one.
    void readTranslations() {
        const auto named = filesBelow(m_folder, 0, kEveryFile, [](const fs::path& file) {
            return file.filename().string().starts_with("text.");
        });
        for (const auto& file : named) {
            std::string language = file.filename().string().substr(5);
            const bool trueCase = language.starts_with("tc.");
            if (trueCase)
                language.erase(0, 3);
            const bool plain =
                language.size() >= 2 && language.size() <= 8 && language.find('.') == std::string::npos;
            if (plain && language != m_reading.language() && (trueCase || !m_translations.contains(language)))
                m_translations[language] = table(file.filename().string(), false);
        }
    }

    void readSegments() {
        m_reading.eachLine(m_folder / "segments", [&](const std::string& line, const SourcePlace& place) {
            const auto words = wordsOfLine(line);
            const std::string id = words.front();
            if (words.size() < 4 || words.size() > 5)
                return m_reading.problem("corpus.badRow", place, id,
                                         "a segment is “UTTERANCE RECORDING START END [CHANNEL]”");
            const auto start = decimalNumber(words[2]), end = decimalNumber(words[3]);
            if (!start || !end || *start < 0 || (*end != -1 && *end <= *start))
                return m_reading.problem("corpus.badSegment", place, id,
                                         "the segment from " + words[2] + " to " + words[3] +
                                             (start && *start < 0 ? " begins before the recording" : " has no length"));
            if (words.size() == 5 && words[4] != "0")
                return m_reading.problem("corpus.channel", place, id,
                                         "the segment is channel " + words[4] +
                                             " alone; write each channel to a file of its own");
            const auto recording = m_recordings.find(words[1]);
            if (recording == m_recordings.end())
                return m_reading.problem("corpus.missingAudio", place, id,
                                         "wav.scp has no recording " + words[1]);
            std::optional<Seconds> duration;
            if (*end != -1)
                duration = Seconds(*end - *start);
            add(id, recording->second, Seconds(*start), duration, place);
        });
    }

    void add(const std::string& id, const KaldiValue& recording, std::optional<Seconds> start,
             std::optional<Seconds> duration, const SourcePlace& place) {
        m_seen.insert(id);
        const std::string& named = recording.value;
        if (named.ends_with('|') || named.starts_with('|'))
            return m_reading.problem("corpus.pipe", recording.place, id,
                                     "the recording is the output of a command, which is never run; write it "
                                     "to a file first (wav-copy scp:wav.scp ark,scp:…, or by the command)");
        SourceUtterance utterance;
        utterance.split = m_split;
        utterance.id = id;
        utterance.audio = soundFile(named);
        if (utterance.audio.empty())
            return m_reading.problem("corpus.slice", recording.place, id,
                                     "the recording " + named +
                                         " is part of a Kaldi archive; write it to a file first");
        utterance.start = start;
        utterance.duration = duration;
        // An utterance as its own speaker is Kaldi's way to say that the speaker is not known.
        if (const auto speaker = m_speakers.find(id);
            speaker != m_speakers.end() && speaker->second.value != id)
            utterance.speaker = speaker->second.value;
        if (const auto text = m_text.find(id); text != m_text.end())
            utterance.texts[m_reading.language()] = text->second.value;
        for (const auto& [language, rows] : m_translations)
            if (const auto text = rows.find(id); text != rows.end())
                utterance.texts[language] = text->second.value;
        utterance.place = place;
        m_reading.add(std::move(utterance));
    }

    /// Relative paths start where the recipe was run: the data folder or up to three folders above. Empty for
    /// an archive, "raw_wav.ark:1234".
    fs::path soundFile(const std::string& named) const {
        fs::path base = m_folder;
        const auto first = m_reading.audioPath(named, base);
        for (int up = 0; up < 4; ++up) {
            const auto file = m_reading.audioPath(named, base);
            if (m_reading.isFile(file))
                return file;
            base = base / "..";
        }
        const bool archive = named.find(".ark:") != std::string::npos || named.ends_with(".ark");
        return archive ? fs::path() : first;
    }

    SourceReading& m_reading;
    fs::path m_folder;
    std::string m_split;
    KaldiTable m_recordings, m_text, m_speakers;
    std::map<std::string, KaldiTable> m_translations;
    std::unordered_set<std::string> m_seen;
};

} // namespace

bool looksLikeKaldi(const fs::path& folder) {
    return !filesBelow(folder, 2, 3000, [](const fs::path& file) {
                return file.filename() == "wav.scp";
            }).empty();
}

void readKaldi(SourceReading& reading) {
    const auto lists = filesBelow(reading.folder(), 3, kEveryFile,
                                  [](const fs::path& file) { return file.filename() == "wav.scp"; });
    for (const auto& list : lists) {
        const auto folder = list.parent_path();
        std::string split = folder.lexically_relative(reading.folder()).generic_string();
        if (split == "." || split.empty())
            split = fs::absolute(folder).lexically_normal().filename().string();
        if (split.starts_with("data/"))
            split.erase(0, 5);
        std::replace(split.begin(), split.end(), '/', '-');
        KaldiFolder(reading, folder, split).read();
    }
}

} // namespace headroom
