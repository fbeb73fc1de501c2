// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/column_table.h"
#include "core/errors/error.h"
#include "core/errors/whole_path.h"

#include <algorithm>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCovost = "covost_v2.";

bool hasColumn(const fs::path& file, const char* name) {
    const auto names = columnNames(file);
    return std::find(names.begin(), names.end(), name) != names.end();
}

fs::path clipOf(const SourceReading& reading, std::string path) {
    if (fs::path(path).extension().empty())
        path += ".mp3";
    const auto file = reading.audioPath(path, reading.folder() / "clips");
    if (reading.isFile(file))
        return file;
    const auto other = soundWithStem(reading, fs::path(file).replace_extension());
    return reading.isFile(other) ? other : file; // converted clips
}

void addClip(SourceReading& reading, const ColumnRow& row, const SourcePlace& place, const std::string& split,
             const std::string& speaker, std::map<std::string, std::string> texts) {
    const std::string path = row.field({"path"});
    SourceUtterance utterance;
    utterance.split = split;
    utterance.id = fs::path(path).stem().string();
    utterance.speaker = speaker;
    utterance.audio = clipOf(reading, path);
    utterance.texts = std::move(texts);
    utterance.place = place;
    reading.add(std::move(utterance));
}

std::string localeOf(const fs::path& folder) {
    std::error_code ignored;
    return wholePath(folder, ignored).filename().string();
}

std::vector<fs::path> covostTables(const fs::path& folder) {
    return filesBelow(folder, 0, kEveryFile, [](const fs::path& file) {
        const auto name = file.filename().string();
        return name.starts_with(kCovost) && name.ends_with(".tsv");
    });
}

} // namespace

bool looksLikeCommonVoice(const fs::path& folder) {
    for (const char* name : {"train.tsv", "test.tsv", "validated.tsv"})
        if (std::error_code ignored; fs::is_regular_file(folder / name, ignored) &&
                                     hasColumn(folder / name, "client_id") &&
                                     hasColumn(folder / name, "sentence"))
            return true;
    return false;
}

void readCommonVoice(SourceReading& reading) {
    const auto locale = localeOf(reading.folder());
    if (locale.size() >= 2 && locale.size() <= 8)
        reading.setLanguage(locale);
    for (const std::string split : {"train", "dev", "test", "validated", "other", "invalidated"}) {
        const auto file = reading.folder() / (split + ".tsv");
        const bool isUsual = split == "train" || split == "dev" || split == "test";
        if ((!isUsual && !reading.isAsked(split)) || !reading.isFile(file))
            continue;
        readColumnTable(reading, file, [&](const ColumnRow& row, const SourcePlace& place) {
            addClip(reading, row, place, split, row.field({"client_id"}), {{reading.language(), row.field({"sentence"})}});
        });
    }
}

bool looksLikeCovost(const fs::path& folder) {
    return !covostTables(folder).empty();
}

void readCovost(SourceReading& reading) {
    const auto tables = covostTables(reading.folder());
    struct Clip {
        std::string sentence, speaker;
    };
    std::map<std::string, Clip> clips; // of validated.tsv, by path, read once
    for (const auto& file : tables) {
        // covost_v2.SOURCE_TARGET.tsv or covost_v2.SOURCE_TARGET.SPLIT.tsv
        auto name = file.stem().string().substr(std::string(kCovost).size());
        std::string split;
        if (const auto dot = name.find('.'); dot != std::string::npos) {
            split = name.substr(dot + 1);
            name.erase(dot);
        }
        const auto under = name.find('_');
        const SourcePlace whole{reading.relativeName(file), 0};
        if (under == std::string::npos) {
            reading.problem("corpus.badName", whole, {}, "the name is not covost_v2.SOURCE_TARGET.tsv");
            continue;
        }
        const std::string source = name.substr(0, under), target = name.substr(under + 1);
        reading.setLanguage(source);
        const bool isJoined = hasColumn(file, "sentence");
        if (!isJoined && clips.empty())
            readColumnTable(reading, reading.folder() / "validated.tsv",
                            [&](const ColumnRow& row, const SourcePlace&) {
                                clips[row.field({"path"})] = {row.field({"sentence"}), row.field({"client_id"})};
                            });
        readColumnTable(reading, file, [&](const ColumnRow& row, const SourcePlace& place) {
            const std::string path = row.field({"path"});
            const std::string of = split.empty() ? row.field({"split"}) : split;
            if (of.empty())
                return reading.problem("corpus.noSplit", place, path, "the row names no split");
            Clip clip{row.field({"sentence"}), row.field({"client_id"})};
            if (!isJoined) {
                const auto found = clips.find(path);
                if (found == clips.end())
                    return reading.problem("corpus.noTranscript", place, path,
                                           "validated.tsv of Common Voice 4 has no such clip");
                clip.sentence = found->second.sentence;
                if (clip.speaker.empty()) // CoVoST's own tables have none
                    clip.speaker = found->second.speaker;
            }
            addClip(reading, row, place, of, clip.speaker, {{source, clip.sentence}, {target, row.field({"translation"})}});
        });
    }
}

} // namespace headroom
