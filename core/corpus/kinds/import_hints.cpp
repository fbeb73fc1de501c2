// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/import_hints.h"

#include "core/corpus/kinds/source_reading.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/first_bytes.h"

#include <algorithm>
#include <set>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kMostTables = 5, kMostLooked = 100'000;

bool hasEnding(const fs::path& file, std::initializer_list<std::string_view> endings) {
    const std::string name = lowered(file.filename().string());
    return std::any_of(endings.begin(), endings.end(), [&](std::string_view ending) { return name.ends_with(ending); });
}

std::string whyUnread(const fs::path& file) {
    try {
        LineReader lines(file);
        std::string first;
        if (!lines.next(first))
            return "has no line";
        if (const char* otherwise = notDownloaded(first))
            return otherwise;
        if (first.starts_with('[') && hasEnding(file, {".json", ".jsonl", ".json.gz", ".jsonl.gz"}))
            return "is one JSON list; a manifest has an object in each line, without brackets and commas around them";
        return "has no columns or keys that name recordings and texts";
    } catch (const Error& error) { // “NAME has 0 bytes; …”
        std::string what = error.what();
        const std::string name = displayName(file);
        what.pop_back();
        return what.starts_with(name) ? what.substr(what.find_first_not_of(", ", name.size())) : what;
    }
}

/// The parts of a path of any machine: “C:\data\a.wav” too.
std::vector<std::string> partsOf(const std::string& path) {
    std::vector<std::string> parts(1);
    for (const char c : path)
        if (c == '/' || c == '\\')
            parts.emplace_back();
        else
            parts.back() += c;
    return parts;
}

} // namespace

void listUnreadTables(SourceReading& reading) {
    const fs::path& folder = reading.folder();
    const auto isTable = [](const fs::path& file) {
        return hasEnding(file, {".csv", ".tsv", ".json", ".jsonl", ".csv.gz", ".tsv.gz", ".json.gz", ".jsonl.gz", "wav.scp"});
    };
    std::set<fs::path> stems{"phones"}; // a table of a recording's name is its alignment, and phones.tsv a phone map
    for (const auto& file : filesBelow(folder, 0, kMostLooked, [&](const fs::path& one) { return !isTable(one); }))
        stems.insert(file.stem());
    const auto tables = filesBelow(folder, 0, kMostLooked, [&](const fs::path& file) { return isTable(file) && !stems.contains(file.stem()); });
    for (std::size_t i = 0; i < tables.size(); ++i) {
        const std::string why = i < kMostTables ? whyUnread(tables[i]) : std::string(); // each is opened for it
        const std::string because = why.empty() ? why : " because " + (why.starts_with("line ") ? why : "it " + why);
        reading.problem("corpus.unreadTable", {reading.relativeName(tables[i]), 0}, {}, "the table was not read" + because, false);
    }
}

std::string archivesIn(const fs::path& folder) {
    const auto found = filesBelow(folder, 0, kMostLooked, [](const fs::path& file) {
        return hasEnding(file, {".tar", ".tar.gz", ".tgz", ".tar.bz2", ".tar.xz", ".zip", ".7z", ".rar"});
    });
    if (found.empty())
        return {};
    return displayName(found.front()) + (found.size() == 1 ? "" : " and " + std::to_string(found.size() - 1) + " more");
}

std::optional<std::pair<std::string, std::string>> suggestedMap(const std::string& named, const fs::path& folder) {
    const auto parts = partsOf(named);
    std::error_code ignored;
    const std::string here = fs::absolute(folder, ignored).lexically_normal().string();
    const auto before = [&](std::size_t part) { // what stands before this part and its separator
        std::size_t length = 0;
        for (std::size_t i = 0; i < part; ++i)
            length += parts[i].size() + 1;
        return named.substr(0, length - 1);
    };
    for (std::size_t first = 1; first < parts.size(); ++first) {
        fs::path tail;
        for (std::size_t i = first; i < parts.size(); ++i)
            tail /= parts[i];
        if (fs::is_regular_file(folder / tail, ignored) && before(first) != here)
            return std::pair(before(first), here);
    }
    const auto same = filesBelow(folder, 8, kMostLooked, [&](const fs::path& file) { return file.filename() == parts.back(); });
    if (parts.size() < 2 || same.size() != 1)
        return std::nullopt;
    return std::pair(before(parts.size() - 1), fs::absolute(same.front().parent_path(), ignored).lexically_normal().string());
}

std::string hintAboutMissing(const std::string& recording, const fs::path& folder, bool isUsual) {
    std::error_code ignored;
    if (fs::exists(recording + ".part", ignored) || fs::exists(recording + ".crdownload", ignored))
        return " Its download did not end: there is only a part of it.";
    // A path of Windows is not absolute here: the folder stands before it.
    const auto drive = recording.find(":\\");
    const bool isWindows = drive != std::string::npos && drive > 0;
    const std::string named = isWindows ? recording.substr(drive - 1) : recording;
    if (!isWindows && named.starts_with((folder / "").lexically_normal().string()))
        return {}; // the table names it relative to the folder
    if (const auto map = suggestedMap(named, folder))
        return " A file of this name is here: set --map '" + map->first + "=" + map->second + "'.";
    return isUsual ? " If the paths are those of another machine, set --map OLD=NEW." : "";
}

} // namespace headroom
