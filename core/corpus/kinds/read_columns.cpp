// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/column_row.h"
#include "core/corpus/kinds/column_table.h"
#include "core/corpus/kinds/json_lines.h"
#include "core/corpus/kinds/text_lines.h"

#include <algorithm>

namespace headroom {

namespace fs = std::filesystem;

namespace {

bool isTable(const fs::path& file) {
    const auto ending = lowered(file.extension().string());
    return ending == ".csv" || ending == ".tsv";
}

bool hasAudioColumn(const fs::path& file) {
    const auto names = columnNames(file);
    return std::any_of(kAudioColumns.begin(), kAudioColumns.end(), [&](const char* each) {
        return std::find(names.begin(), names.end(), each) != names.end();
    });
}

bool isMetadata(const fs::path& file) {
    const auto name = file.filename().string();
    return name == "metadata.csv" || name == "metadata.jsonl";
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

void readAudioFolder(SourceReading& reading) {
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
