// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/source_reading.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/errors/count_text.h"
#include "core/errors/error.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace headroom {

namespace fs = std::filesystem;

namespace {

/// Two or three small letters, but none of the usual endings of files.
bool isLanguage(const std::string& name) {
    static constexpr std::array<std::string_view, 30> kEndings{
        "wav", "txt", "tsv", "csv", "ogg", "aif", "sph", "raw", "zip", "tar",
        "vtt", "srt", "phn", "wrd", "ctm", "trn", "stm", "scp", "lst", "log",
        "pdf", "npz", "npy", "bin", "md",  "py",  "sh",  "gz",  "bz",  "xz"};
    return std::find(kEndings.begin(), kEndings.end(), name) == kEndings.end() &&
           (name.size() == 2 || name.size() == 3) &&
           std::all_of(name.begin(), name.end(), [](char c) { return c >= 'a' && c <= 'z'; });
}

/// "train.de-en.de" → "train", {"de", "en"}
std::string withoutPair(const std::string& stem, std::vector<std::string>& pair) {
    const auto dot = stem.rfind('.');
    const std::string end = stem.substr(dot == std::string::npos ? 0 : dot + 1);
    const auto dash = end.find('-');
    if (dash == std::string::npos || !isLanguage(end.substr(0, dash)) || !isLanguage(end.substr(dash + 1)))
        return stem;
    pair = {end.substr(0, dash), end.substr(dash + 1)};
    return dot == std::string::npos ? "train" : stem.substr(0, dot);
}

std::string usualSplit(const std::string& name) {
    return name == "valid" || name == "validation" ? "dev" : name;
}

/// Files STEM.LANGUAGE (perhaps .gz) by stem and language.
std::map<std::string, std::map<std::string, fs::path>> alignedFiles(const fs::path& folder) {
    std::map<std::string, std::map<std::string, fs::path>> files;
    for (const auto& file : filesBelow(folder, 0, kEveryFile, [](const fs::path&) { return true; })) {
        const fs::path plain = file.extension() == ".gz" ? file.stem() : file.filename();
        const std::string ending = plain.extension().string();
        if (ending.size() > 1 && isLanguage(ending.substr(1)))
            files[plain.stem().string()][ending.substr(1)] = file;
    }
    std::erase_if(files, [](const auto& each) { return each.second.size() != 2; });
    return files;
}

[[noreturn]] void refuseUnnamed(const SourceReading& reading, const std::string& one,
                                const std::string& other) {
    throw Error("corpus.noLanguage",
                reading.folder().string() + " does not say whether " + one + " or " + other +
                    " is the source. Use --language to name it.",
                {{"file", reading.folder().string()}});
}

/// The source and the target: as asked, as the names of files say, or as the folder's name says
/// ("iwslt14.de-en").
std::pair<std::string, std::string> directionOf(const SourceReading& reading,
                                                const std::vector<std::string>& languages,
                                                std::vector<std::string> pair) {
    const std::string& asked = reading.request().language;
    const auto isHere = [&](const std::string& name) {
        return std::find(languages.begin(), languages.end(), name) != languages.end();
    };
    if (asked.empty() && pair.empty())
        withoutPair(fs::absolute(reading.folder()).lexically_normal().filename().string(), pair);
    const std::string source = !asked.empty() ? asked : pair.empty() ? std::string() : pair.front();
    if (!asked.empty() && !isHere(asked))
        throw Error("corpus.noLanguage", reading.folder().string() + " has no text in “" + asked +
                                             "”; it has " + languages[0] + " and " + languages[1] + ".");
    if (!isHere(source))
        refuseUnnamed(reading, languages[0], languages[1]);
    return {source, source == languages[0] ? languages[1] : languages[0]};
}

void addPair(SourceReading& reading, const std::string& split, const SourcePlace& place,
             const std::string& source, const std::string& sourceText, const std::string& target,
             const std::string& targetText) {
    SourceUtterance pair;
    pair.split = split;
    std::array<char, 32> number{};
    std::snprintf(number.data(), number.size(), "-%07d", place.line);
    pair.id = split + number.data();
    pair.texts = {{source, sourceText}, {target, targetText}};
    pair.place = place;
    if (sourceText.empty() || targetText.empty())
        return reading.problem("corpus.emptyText", place, pair.id, "a text of the pair is empty");
    reading.add(std::move(pair));
}

std::vector<fs::path> tablesIn(const fs::path& folder) {
    return filesBelow(folder, 0, kEveryFile, [](const fs::path& file) { return file.extension() == ".tsv"; });
}

/// Two columns, whose first line may name the languages: "de<tab>en".
bool namesLanguages(const std::string& line, std::vector<std::string>& languages) {
    const auto tab = line.find('\t');
    if (tab == std::string::npos || !isLanguage(line.substr(0, tab)) || !isLanguage(line.substr(tab + 1)))
        return false;
    languages = {line.substr(0, tab), line.substr(tab + 1)};
    return true;
}

void readTableOfPairs(SourceReading& reading, const fs::path& file) {
    const std::string split = usualSplit(file.stem().string());
    std::vector<std::string> languages;
    bool isFirst = true;
    reading.eachLine(file, [&](const std::string& line, const SourcePlace& place) {
        if (std::exchange(isFirst, false)) {
            if (namesLanguages(line, languages)) {
                reading.setLanguage(directionOf(reading, languages, languages).first);
                return;
            }
            languages = {reading.request().language.empty() ? "source" : reading.request().language,
                         "target"};
            reading.setLanguage(languages[0]);
        }
        const auto tab = line.find('\t');
        if (tab == std::string::npos || line.find('\t', tab + 1) != std::string::npos)
            return reading.problem("corpus.badRow", place, {}, "a row is “SOURCE<tab>TARGET”");
        addPair(reading, split, place, languages[0], std::string(trimmedText(line.substr(0, tab))),
                languages[1], std::string(trimmedText(line.substr(tab + 1))));
    });
}

} // namespace

bool looksLikeMoses(const fs::path& folder) {
    return !alignedFiles(folder).empty();
}

void readMoses(SourceReading& reading) {
    const auto files = alignedFiles(reading.folder());
    if (files.empty())
        throw Error("corpus.nothing",
                    reading.folder().string() +
                        " has no two files of one name that end in languages, as train.en and train.de.",
                    {{"file", reading.folder().string()}});
    for (const auto& [stem, both] : files) {
        const std::vector<std::string> languages{both.begin()->first, both.rbegin()->first};
        std::vector<std::string> pair;
        if (both.begin()->first != files.begin()->second.begin()->first ||
            both.rbegin()->first != files.begin()->second.rbegin()->first)
            throw Error("corpus.severalPairs",
                        reading.folder().string() +
                            " has texts in more than two languages. Put each pair of languages "
                            "into a folder of its own.",
                        {{"file", reading.folder().string()}});
        const std::string split = usualSplit(withoutPair(stem, pair));
        const auto [source, target] = directionOf(reading, languages, pair);
        reading.setLanguage(source);
        const auto from = reading.alignedLines(both.at(source)), to = reading.alignedLines(both.at(target));
        const std::string one = reading.relativeName(both.at(source)),
                          other = reading.relativeName(both.at(target));
        if (from.size() != to.size())
            throw Error("corpus.unequal",
                        one + " has " + counted(static_cast<std::int64_t>(from.size()), "line") + ", but " + other + " has " +
                            grouped(static_cast<std::int64_t>(to.size())) + ", so they are not aligned.",
                        {{"file", one}});
        for (std::size_t i = 0; i < from.size(); ++i)
            addPair(reading, split, {one, static_cast<int>(i) + 1}, source, from[i], target, to[i]);
    }
}

bool looksLikeParallelTable(const fs::path& folder) {
    const auto tables = tablesIn(folder);
    if (tables.empty())
        return false;
    try {
        LineReader reader(tables.front());
        std::string line;
        std::vector<std::string> ignored;
        return reader.next(line) && namesLanguages(line, ignored);
    } catch (const Error&) {
        return false;
    }
}

void readParallelTable(SourceReading& reading) {
    for (const auto& file : tablesIn(reading.folder()))
        readTableOfPairs(reading, file);
}

} // namespace headroom
