// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/source_reading.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/errors/count_text.h"
#include "core/errors/error.h"
#include "core/errors/whole_path.h"

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr const char* kSegments = "segments.lst";

void readEuroparlSplit(SourceReading& reading, const fs::path& folder, const std::string& source,
                       const std::string& target) {
    std::map<std::string, std::vector<std::string>> lines;
    for (const auto& language : {source, target})
        lines[language] = reading.alignedLines(folder / ("segments." + language));
    std::vector<std::string> speakers;
    if (reading.isFile(folder / "speakers.lst"))
        speakers = reading.alignedLines(folder / "speakers.lst");
    const auto sounds = folder.parent_path().parent_path() / "audios";
    std::size_t index = 0, speech = 0;
    std::string previous;
    const bool read =
        reading.eachLine(folder / kSegments, [&](const std::string& line, const SourcePlace& place) {
            const auto words = wordsOfLine(line);
            const std::size_t at = index++;
            if (words.size() != 3)
                return reading.problem("corpus.badRow", place, {}, "a segment is “RECORDING START END”");
            if (!previous.empty() && words[0] != previous)
                ++speech;
            previous = words[0];
            const auto start = decimalNumber(words[1]), end = decimalNumber(words[2]);
            const std::string id = words[0] + "_" + std::to_string(at);
            if (!start || !end || *start < 0 || *end <= *start)
                return reading.problem("corpus.badSegment", place, id,
                                       "the segment from " + words[1] + " to " + words[2] + " has no length");
            SourceUtterance utterance;
            utterance.split = folder.filename().string();
            utterance.id = id;
            utterance.speaker = speech < speakers.size() ? speakers[speech] : "";
            utterance.audio = soundWithStem(reading, sounds / words[0]);
            if (const auto packed = sounds / (words[0] + ".m4a");
                !reading.isFile(utterance.audio) && reading.isFile(packed))
                return reading.problem("audio.notAudio", place, id,
                                       words[0] +
                                           ".m4a cannot be read; convert the folder audios to FLAC or WAV");
            utterance.start = Seconds(*start);
            utterance.duration = Seconds(*end - *start);
            for (const auto& [language, text] : lines)
                if (at < text.size())
                    utterance.texts[language] = text[at];
            utterance.place = place;
            reading.add(std::move(utterance));
        });
    for (const auto& [language, text] : lines)
        if (read && text.size() != index)
            throw Error("corpus.unequal", "segments." + language + " has " + counted(static_cast<std::int64_t>(text.size()), "line") +
                                              ", but segments.lst " + grouped(static_cast<std::int64_t>(index)) +
                                              "; copy or download both again.");
}

} // namespace

bool looksLikeEuroparl(const fs::path& folder) {
    return !filesBelow(folder, 1, 3000, [](const fs::path& file) {
                return file.filename() == kSegments;
            }).empty();
}

void readEuroparl(SourceReading& reading) {
    std::error_code ignored;
    const fs::path named = wholePath(reading.folder(), ignored);
    const std::string target = named.filename().string(), source = named.parent_path().filename().string();
    reading.setLanguage(source);
    for (const auto& folder : foldersIn(reading.folder())) {
        const auto before = reading.utterances().size();
        try {
            if (reading.isFile(folder / kSegments))
                readEuroparlSplit(reading, folder, source, target);
        } catch (const Error& error) { // one split, whose lines do not belong together
            reading.utterances().resize(before);
            std::string what = error.what();
            what.pop_back();
            reading.problem(error.code(), {reading.relativeName(folder), 0}, {}, what);
        }
    }
}

} // namespace headroom
