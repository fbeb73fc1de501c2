// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/column_table.h"
#include "core/corpus/kinds/json_lines.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/errors/display_name.h"

#include <algorithm>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::initializer_list<const char*> kAudio{
    "audio", "audio_filepath", "file_name", "audio_path", "path", "wav_filename", "wav", "file", "filename"};
constexpr std::initializer_list<const char*> kText{"text", "transcript", "transcription", "sentence",
                                                   "normalized_text"};
constexpr std::initializer_list<const char*> kSpeaker{"speaker", "speaker_id", "spk_id", "client_id"};

bool isTable(const fs::path& file) {
    const auto ending = lowered(file.extension().string());
    return ending == ".csv" || ending == ".tsv";
}

bool hasAudioColumn(const fs::path& file) {
    const auto names = columnNames(file);
    return std::any_of(kAudio.begin(), kAudio.end(), [&](const char* each) {
        return std::find(names.begin(), names.end(), each) != names.end();
    });
}

bool isMetadata(const fs::path& file) {
    const auto name = file.filename().string();
    return name == "metadata.csv" || name == "metadata.jsonl";
}

/// A row of either form, by the names of its fields.
using FieldOf = std::function<std::string(std::initializer_list<const char*>)>;

void addColumnRow(SourceReading& reading, const FieldOf& field, const fs::path& base,
                  const std::string& split, const SourcePlace& place) {
    const auto named = field(kAudio);
    if (named.empty())
        return reading.problem("corpus.noAudio", place, {}, "no recording is named");
    SourceUtterance utterance;
    utterance.split = split.empty() ? std::string(trimmedText(field({"split", "set"}))) : split;
    if (utterance.split.empty())
        utterance.split = "all";
    const auto name = audioName(reading.audioPath(named, base));
    utterance.audio = name.file;
    utterance.part = name.part;
    utterance.speed = name.speed;
    utterance.id = field({"id", "utt_id", "utterance_id", "id_utt"});
    if (utterance.id.empty()) {
        utterance.id = fs::path(named).replace_extension().generic_string();
        while (utterance.id.starts_with("./") || utterance.id.starts_with("/"))
            utterance.id.erase(0, utterance.id.starts_with("/") ? 1 : 2);
    }
    utterance.speaker = field(kSpeaker);
    const auto start = field({"start", "offset", "begin", "start_time"}),
               end = field({"end", "stop", "end_time"}), duration = field({"duration", "seconds"});
    if (!start.empty()) {
        const auto from = decimalNumber(start);
        const auto length = !end.empty() ? decimalNumber(end) : decimalNumber(duration);
        if (!from || (!length && !(end.empty() && duration.empty())))
            return reading.problem("corpus.badSegment", place, utterance.id,
                                   "the segment from “" + start + "” to “" + (end.empty() ? duration : end) +
                                       "” is not in seconds");
        utterance.start = Seconds(*from);
        if (length)
            utterance.duration = Seconds(end.empty() ? *length : *length - *from);
    }
    if (auto language = field({"language", "lang", "locale", "src_lang"}); !language.empty())
        reading.setLanguage(language);
    utterance.texts[reading.language()] = field(kText);
    if (auto translation = field({"translation", "tgt_text"}); !translation.empty()) {
        const auto target = field({"tgt_lang", "target_lang"});
        utterance.texts[target.empty() ? "target" : target] = translation;
    }
    utterance.place = place;
    reading.add(std::move(utterance));
}

} // namespace

bool looksLikeColumns(const fs::path& folder) {
    return !filesBelow(folder, 0, 3000, [](const fs::path& file) {
                return isTable(file) && hasAudioColumn(file);
            }).empty();
}

void readColumns(SourceReading& reading) {
    for (const auto& file : filesBelow(reading.folder(), 0, kEveryFile, isTable)) {
        const auto names = columnNames(file);
        const bool hasSplit = std::find(names.begin(), names.end(), "split") != names.end() ||
                              std::find(names.begin(), names.end(), "set") != names.end();
        if (!hasAudioColumn(file)) {
            reading.problem("corpus.noColumn", {reading.relativeName(file), 1}, {},
                            "no column names the recordings (audio, path, file_name, wav_filename …)");
            continue;
        }
        const std::string split = hasSplit ? "" : file.stem().string();
        readColumnTable(reading, file, [&](const ColumnRow& row, const SourcePlace& place) {
            addColumnRow(
                reading, [&](std::initializer_list<const char*> wanted) { return row.field(wanted); },
                file.parent_path(), split, place);
        });
    }
}

bool looksLikeAudioFolder(const fs::path& folder) {
    return !filesBelow(folder, 2, 3000, isMetadata).empty();
}

void refuseParquet(const fs::path& folder) {
    const auto shards = filesBelow(folder, 3, 3000, [](const fs::path& file) {
        const auto ending = lowered(file.extension().string());
        return ending == ".parquet" || ending == ".arrow";
    });
    if (!shards.empty())
        throw Error("corpus.parquet",
                    displayName(shards.front()) +
                        " is a file of Parquet or Arrow, which Headroom does not read. Write the data set out as files first: the "
                        "recordings of each split with a metadata.csv of file_name and text (an audiofolder of Hugging Face), then "
                        "read this folder with headroom-worker corpus hf.",
                    {{"file", displayName(shards.front())}, {"files", shards.size()}});
}

void readAudioFolder(SourceReading& reading) {
    if (!looksLikeAudioFolder(reading.folder()))
        refuseParquet(reading.folder());
    for (const auto& file : filesBelow(reading.folder(), 3, kEveryFile, isMetadata)) {
        const auto home = file.parent_path();
        auto split = home.lexically_relative(reading.folder()).generic_string();
        if (split.starts_with("data/"))
            split.erase(0, 5);
        if (split == "." || split == "data")
            split.clear();
        if (file.extension() == ".csv")
            readColumnTable(reading, file, [&](const ColumnRow& row, const SourcePlace& place) {
                addColumnRow(
                    reading, [&](std::initializer_list<const char*> wanted) { return row.field(wanted); },
                    home, split, place);
            });
        else
            readJsonLines(reading, file, [&](const nlohmann::json& row, const SourcePlace& place) {
                const auto field = [&](std::initializer_list<const char*> wanted) {
                    for (const char* name : wanted)
                        if (row.contains(name))
                            return textOfJson(row, name);
                    return std::string();
                };
                addColumnRow(reading, field, home, split, place);
            });
    }
}

} // namespace headroom
