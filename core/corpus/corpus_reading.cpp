// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/corpus_reading.h"

#include "core/alignment/readers.h"
#include "core/audio/audio_name.h"
#include "core/corpus/tab_separated.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <sstream>

namespace headroom {

namespace fs = std::filesystem;

void CorpusReading::problem(const std::string& code, const Place& place, const std::string& what,
                            bool leftOut) {
    std::string sentence = isText(place.file) ? place.file : displayName(place.file);
    if (place.line > 0)
        sentence += ", line " + std::to_string(place.line);
    if (!place.id.empty())
        sentence += ", " + place.id;
    m_problems.push_back({code, sentence + ": " + what + ".", place.file, place.line, leftOut});
}

void CorpusReading::dependsOn(const std::string& relative, bool isFolder) {
    m_sources.push_back(CorpusIndex::sourceOf(m_folder, relative, isFolder));
}

void CorpusReading::dependsOnPath(const fs::path& path, bool isFolder) {
    dependsOn(path.lexically_normal().lexically_relative(m_folder.lexically_normal()).string(), isFolder);
}

void CorpusReading::progressed(std::int64_t bytesOfTable, double share) {
    if (m_progress && m_total > 0)
        m_progress(std::min(m_total, m_done + static_cast<std::int64_t>(static_cast<double>(bytesOfTable) * share)), m_total);
}

const std::unordered_set<std::string>& CorpusReading::filesIn(const fs::path& folder) {
    // One listing of a folder instead of a question per file: tables of several tasks name the same files.
    const auto [entry, fresh] = m_listed.try_emplace(folder.string());
    std::error_code error;
    if (fresh)
        dependsOnPath(folder, true);
    if (fresh)
        for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
            std::error_code ignored;
            if (at->is_regular_file(ignored))
                entry->second.insert(at->path().filename().string());
        }
    return entry->second;
}

bool CorpusReading::isFile(const fs::path& file) {
    return filesIn(file.parent_path()).contains(file.filename().string());
}

const CorpusReading::NamedFolder& CorpusReading::folderNamed(const std::string& relative) {
    const auto [entry, fresh] = m_named.try_emplace(relative);
    NamedFolder& folder = entry->second;
    if (fresh) {
        const fs::path named(relative);
        folder.isOutside = named.is_absolute() || std::find(named.begin(), named.end(), fs::path("..")) != named.end();
        folder.path = (m_folder / named).lexically_normal();
        if (!folder.isOutside)
            folder.files = &filesIn(folder.path); // maps keep their values where they are
    }
    return folder;
}

fs::path CorpusReading::alignmentIn(const std::vector<fs::path>& folders, const std::string& stem) {
    for (const auto& folder : folders)
        if (const auto& files = filesIn(folder); !files.empty())
            for (const char* suffix : alignmentSuffixes())
                if (files.contains(stem + suffix))
                    return folder / (stem + suffix);
    for (const auto& folder : folders) {
        const auto [lists, fresh] = m_lists.try_emplace(folder.string());
        if (fresh) {
            lists->second = alignmentListsIn(folder);
            for (const auto& list : lists->second)
                dependsOnPath(list, false);
        }
        for (const auto& list : lists->second)
            if (isListed(list, stem))
                return list;
    }
    return {};
}

std::optional<fs::path> CorpusReading::fileOf(const std::string& relative, const Place& place,
                                              const std::string& what, bool leftOut) {
    if (relative.empty()) {
        problem("corpus.noAudio", place, "no " + what + " is named", leftOut);
        return std::nullopt;
    }
    const auto slash = relative.rfind('/');
    const auto name = slash == std::string::npos ? relative : relative.substr(slash + 1);
    const auto& folder = folderNamed(slash == std::string::npos ? "" : relative.substr(0, slash + 1));
    if (folder.isOutside || name == "..") {
        problem("corpus.outside", place,
                "the " + what + " " + displayName(relative) +
                    " is outside the folder; paths are relative to it and contain no \"..\"",
                leftOut);
        return std::nullopt;
    }
    if (folder.files->contains(name))
        return folder.path / name;
    const auto part = audioSuffix(name);
    const auto whole = part ? name.substr(0, part->end) : name;
    if (part && folder.files->contains(whole) &&
        !(part->speed != 1 && AudioName{whole, part->part}.holdsFeatures()))
        return folder.path / name;
    if (part && folder.files->contains(whole))
        problem("corpus.slice", place, "\"" + relative + "\" holds features, which have no other speed", leftOut);
    else
        problem("corpus.missingAudio", place, "the " + what + " " + relative + " is not there", leftOut);
    return std::nullopt;
}

bool CorpusReading::isNew(const std::string& id, const Place& place) {
    const auto [first, fresh] = m_lines.try_emplace(id, place.line);
    if (!fresh)
        problem("corpus.sameId", place, "line " + std::to_string(first->second) + " has the same id", true);
    return fresh;
}

int TableColumns::indexOf(std::string_view name) const {
    const auto found = std::find(m_names.begin(), m_names.end(), name);
    return found == m_names.end() ? -1 : static_cast<int>(found - m_names.begin());
}

std::string TableColumns::field(const std::vector<std::string>& row, std::string_view name) const {
    const int index = indexOf(name);
    return index < 0 ? std::string() : row[static_cast<std::size_t>(index)];
}

void readTable(CorpusReading& reading, const std::string& file, const std::vector<std::string>& required,
               const std::function<void(const TableColumns&, const std::vector<std::string>&,
                                        const CorpusReading::Place&)>& row) {
    reading.startTable();
    reading.dependsOn(file, false);
    std::ifstream in(reading.folder() / file, std::ios::binary);
    std::ostringstream bytes;
    if (!in || !(bytes << in.rdbuf())) {
        const bool empty = in && bytes.str().empty();
        reading.problem(empty ? "corpus.noHeader" : "corpus.missingTable", {file, 0, {}},
                        empty ? "the file is empty" : "the table is missing or cannot be read", false);
        return;
    }
    const auto text = bytes.str();
    const auto lines = static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    reading.startTable(lines);
    TabSeparatedReader rows(text);
    const auto header = rows.next();
    if (!header)
        return reading.problem("corpus.noHeader", {file, 0, {}}, "the table has no header line", false);
    const TableColumns columns(header->fields);
    std::string missing;
    for (const auto& name : required)
        if (columns.indexOf(name) < 0)
            missing += (missing.empty() ? "" : ", ") + name;
    if (!missing.empty())
        return reading.problem("corpus.noColumn", {file, header->line, {}},
                               "the header lacks the column " + missing, false);
    const auto id = static_cast<std::size_t>(columns.indexOf("id"));
    const auto bytesOfTable = static_cast<std::int64_t>(text.size());
    constexpr std::size_t kProgressRows = 8192;
    for (std::size_t number = 0; const auto read = rows.next(); ++number) {
        const auto& fields = read->fields;
        if (number % kProgressRows == 0)
            reading.progressed(bytesOfTable, static_cast<double>(number) / static_cast<double>(lines + 1));
        CorpusReading::Place place{file, read->line, {}};
        if (fields.size() != columns.size()) {
            reading.problem("corpus.badRow", place,
                            "the row has " + counted(static_cast<std::int64_t>(fields.size()), "field") + " where the header has " +
                                std::to_string(columns.size()),
                            true);
            continue;
        }
        if (!std::all_of(fields.begin(), fields.end(), isText)) {
            reading.problem("corpus.badText", place, "the row is not UTF-8", true);
            continue;
        }
        if (fields[id].empty()) {
            reading.problem("corpus.noId", place, "the utterance has no id", true);
            continue;
        }
        place.id = fields[id];
        if (reading.isNew(place.id, place))
            row(columns, fields, place);
    }
    reading.tableDone(bytesOfTable);
    reading.progressed(0, 1);
}

std::vector<std::string> inUsualOrder(std::set<std::string> splits) {
    std::vector<std::string> ordered;
    for (const char* usual : {"train", "dev", "test"})
        if (splits.erase(usual) > 0)
            ordered.emplace_back(usual);
    ordered.insert(ordered.end(), splits.begin(), splits.end());
    return ordered;
}

Error missingFolder(const fs::path& folder) {
    const std::string name = validText(folder.string());
    std::error_code problem;
    return {"corpus.missing",
            fs::exists(folder, problem) ? name + " is a file. Name the folder that holds it."
            : problem                   ? "The folder " + name + " could not be read: " + problem.message() + "."
                                        : "The folder " + name + " does not exist.",
            {{"file", name}}};
}

std::optional<std::int64_t> wholeNumber(std::string_view text) {
    std::int64_t value = 0;
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (text.empty() || result.ec != std::errc() || result.ptr != text.data() + text.size() || value < 0)
        return std::nullopt;
    return value;
}

Frames framesOf(std::int64_t samples, SampleRate rate) {
    const auto atModelRate =
        std::llround(static_cast<double>(samples) * kModelSampleRate.hertz() / rate.hertz());
    return Frames(atModelRate < 400 ? 0 : 1 + (atModelRate - 400) / 160);
}

} // namespace headroom
