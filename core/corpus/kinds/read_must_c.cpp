// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/source_reading.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/corpus/kinds/yaml_segments.h"
#include "core/errors/count_text.h"
#include "core/errors/error.h"
#include "core/errors/whole_path.h"

#include <algorithm>
#include <numeric>

namespace headroom {

namespace fs = std::filesystem;

namespace {

/// A folder of one pair of languages: NAME is "en-de", and data/SPLIT/txt is inside.
struct PairFolder {
    std::string source, target;
    fs::path data;
};

std::optional<PairFolder> pairIn(const fs::path& folder) {
    std::error_code ignored;
    fs::path named = wholePath(folder, ignored);
    auto data = folder;
    if (named.filename() == "data")
        named = named.parent_path();
    else
        data /= "data";
    const std::string name = named.filename().string();
    const auto dash = name.find('-');
    if (dash == std::string::npos || dash < 2 || name.size() - dash < 3 || !fs::is_directory(data, ignored))
        return std::nullopt;
    const auto splits = foldersIn(data);
    const bool inside = std::any_of(splits.begin(), splits.end(), [&](const fs::path& split) {
        return fs::is_directory(split / "txt", ignored);
    });
    if (!inside)
        return std::nullopt;
    return PairFolder{name.substr(0, dash), name.substr(dash + 1), data};
}

std::vector<PairFolder> pairsOf(const fs::path& folder) {
    if (auto own = pairIn(folder))
        return {*own};
    std::vector<PairFolder> pairs;
    for (const auto& each : foldersIn(folder))
        if (auto pair = pairIn(each))
            pairs.push_back(*pair);
    return pairs;
}

/// fairseq's number of a segment: its place in its recording, by time.
std::vector<std::size_t> placesInTalk(const std::vector<YamlSegment>& segments) {
    std::map<std::string, std::vector<std::size_t>> talks;
    for (std::size_t i = 0; i < segments.size(); ++i)
        talks[segments[i].wav].push_back(i);
    std::vector<std::size_t> places(segments.size());
    for (auto& [wav, members] : talks) {
        std::stable_sort(members.begin(), members.end(), [&](std::size_t left, std::size_t right) {
            return segments[left].offset < segments[right].offset;
        });
        for (std::size_t place = 0; place < members.size(); ++place)
            places[members[place]] = place;
    }
    return places;
}

void readPairSplit(SourceReading& reading, const PairFolder& pair, const fs::path& folder) {
    const std::string split = folder.filename().string();
    const auto list = folder / "txt" / (split + ".yaml");
    const auto segments = readYamlSegments(list);
    std::map<std::string, std::vector<std::string>> lines;
    for (const auto& language : {pair.source, pair.target}) {
        const auto file = folder / "txt" / (split + "." + language);
        if (!reading.isFile(file)) {
            reading.problem("corpus.missingTable", {reading.relativeName(file), 0}, {},
                            "the text is missing", false);
            continue;
        }
        auto text = reading.alignedLines(file);
        if (text.size() != segments.size())
            throw Error("corpus.unequal", split + "." + language + " has " + counted(static_cast<std::int64_t>(text.size()), "line") +
                                              ", but " + split + ".yaml " +
                                              counted(static_cast<std::int64_t>(segments.size()), "segment") +
                                              "; copy or download both again.");
        lines[language] = std::move(text);
    }
    const auto places = placesInTalk(segments);
    const std::string name = reading.relativeName(list);
    for (std::size_t i = 0; i < segments.size(); ++i) {
        const auto& segment = segments[i];
        SourceUtterance utterance;
        utterance.split = split;
        const auto stem = fs::path(segment.wav).stem().string();
        utterance.id = stem + "_" + std::to_string(places[i]);
        utterance.speaker = segment.speaker;
        utterance.audio = folder / "wav" / segment.wav;
        if (!reading.isFile(utterance.audio)) // mTEDx: the list says .wav, the files are FLAC
            utterance.audio = soundWithStem(reading, folder / "wav" / stem);
        utterance.start = Seconds(segment.offset);
        utterance.duration = Seconds(segment.duration);
        for (const auto& [language, text] : lines)
            utterance.texts[language] = text[i];
        utterance.place = {name, segment.line};
        reading.add(std::move(utterance));
    }
}

bool hasSound(const fs::path& folder, const char* ending) {
    for (const auto& pair : pairsOf(folder))
        if (!filesBelow(pair.data, 2, 5000, [&](const fs::path& file) {
                 return file.extension() == ending;
             }).empty())
            return true;
    return false;
}

} // namespace

bool looksLikeMustC(const fs::path& folder) {
    return !pairsOf(folder).empty() && !hasSound(folder, ".flac");
}
bool looksLikeMtedx(const fs::path& folder) {
    return hasSound(folder, ".flac");
}

void readMustC(SourceReading& reading) {
    const auto pairs = pairsOf(reading.folder());
    if (pairs.empty())
        throw Error("corpus.badFolder", reading.folder().string() +
                                            " is not a pair of languages: a folder such as en-de is "
                                            "expected, with data/SPLIT/txt in it.");
    if (pairs.size() > 1) {
        std::string names;
        for (const auto& pair : pairs)
            names += (names.empty() ? "" : ", ") + pair.source + "-" + pair.target;
        throw Error("corpus.severalPairs", reading.folder().string() + " holds several pairs of languages (" +
                                               names + "). Set --from to one of these folders.");
    }
    reading.setLanguage(pairs.front().source);
    for (const auto& folder : foldersIn(pairs.front().data)) {
        try {
            readPairSplit(reading, pairs.front(), folder);
        } catch (const Error& error) { // one split
            std::string what = error.what();
            what.pop_back();
            reading.problem(error.code(), {reading.relativeName(folder), 0}, {}, what);
        }
    }
}

} // namespace headroom
