// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/source_reading.h"
#include "core/corpus/kinds/text_lines.h"

#include <set>

namespace headroom {

namespace fs = std::filesystem;

namespace {

bool isTranscript(const fs::path& file) {
    return file.filename().string().ends_with(".trans.txt");
}

void readChapter(SourceReading& reading, const fs::path& file) {
    const auto chapter = file.parent_path();
    const std::string speaker = chapter.parent_path().filename().string();
    const std::string split = chapter.parent_path().parent_path().filename().string();
    std::set<std::string> said;
    reading.eachLine(file, [&](const std::string& line, const SourcePlace& place) {
        auto [id, text] = firstWord(line);
        if (!said.insert(id).second)
            return reading.problem("corpus.sameId", place, id, "the transcript occurs twice");
        SourceUtterance utterance;
        utterance.split = split;
        utterance.id = id;
        utterance.speaker = speaker;
        utterance.audio = chapter / (id + ".flac");
        if (!reading.isFile(utterance.audio))
            if (const auto other = soundWithStem(reading, chapter / id); reading.isFile(other))
                utterance.audio = other;
        utterance.texts[reading.language()] = std::move(text);
        utterance.place = place;
        reading.add(std::move(utterance));
    });
    for (const auto& sound :
         filesBelow(chapter, 0, kEveryFile, [](const fs::path& each) { return each.extension() == ".flac"; }))
        if (!said.contains(sound.stem().string()))
            reading.problem("corpus.noTranscript", {reading.relativeName(file), 0}, sound.stem().string(),
                            "the recording has no line here");
}

} // namespace

bool looksLikeLibriSpeech(const fs::path& folder) {
    return !filesBelow(folder, 5, 3000, isTranscript).empty();
}

void readLibriSpeech(SourceReading& reading) {
    reading.setLanguage("en");
    for (const auto& file : filesBelow(reading.folder(), 6, kEveryFile, isTranscript))
        readChapter(reading, file);
}

} // namespace headroom
