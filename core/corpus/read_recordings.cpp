// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/alignment_folders.h"
#include "core/alignment/phones.h"
#include "core/alignment/readers.h"
#include "core/audio/sound_endings.h"
#include "core/audio/unread_sound.h"
#include "core/corpus/corpus_reading.h"
#include "core/corpus/tab_separated.h"
#include "core/errors/display_name.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <limits>
#include <map>
#include <set>
#include <sstream>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t kLongestText = 1u << 20; // bytes; a transcript, not a book

/// Videos beside a transcript of their name were meant as utterances.
void sayWhatIsUnreadable(CorpusReading& reading, const std::vector<fs::path>& videos) {
    for (const auto& file : videos) {
        const auto beside = [&](const char* suffix) { return reading.isFile(reading.folder() / fs::path(file).replace_extension(suffix)); };
        if (beside(".txt") || beside(".TextGrid"))
            reading.problem("audio.notAudio", {file.generic_string(), 0, {}},
                            "it is a video, or audio in a video format, and cannot be read; extract the audio "
                            "as WAV or FLAC first, for example with ffmpeg",
                            true);
    }
}

/// Relative paths, sorted. Links to folders are not followed: they may lead in circles.
std::vector<fs::path> recordingsIn(CorpusReading& reading, std::vector<fs::path>& unreadable) {
    const fs::path& folder = reading.folder();
    std::vector<fs::path> found;
    std::error_code error;
    fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
    for (; !error && at != end; at.increment(error)) {
        std::error_code ignored;
        if (isNamedAsSound(at->path()) && at->is_regular_file(ignored))
            found.push_back(at->path().lexically_relative(folder));
        else if (isUnreadSound(at->path()) && at->is_regular_file(ignored))
            unreadable.push_back(at->path().lexically_relative(folder));
        else if (at->is_directory(ignored))
            reading.dependsOnPath(at->path(), true);
    }
    std::sort(found.begin(), found.end());
    std::sort(unreadable.begin(), unreadable.end());
    return found;
}

/// Words with one blank between them.
std::string plainText(const std::string& bytes) {
    std::istringstream words(bytes.starts_with("\xEF\xBB\xBF") ? bytes.substr(3) : bytes);
    std::string text;
    for (std::string word; words >> word;)
        text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string transcriptIn(CorpusReading& reading, const fs::path& file, const CorpusReading::Place& place) {
    std::error_code ignored;
    const auto name = displayName(file);
    if (fs::file_size(file, ignored) > kLongestText) {
        reading.problem("corpus.badText", place, name + " has more than 1 MB and is not a transcript",
                        false);
        return {};
    }
    std::ifstream in(file, std::ios::binary);
    std::ostringstream bytes;
    bytes << in.rdbuf();
    if (!isText(bytes.str())) {
        reading.problem("corpus.badText", place, name + " is not UTF-8", false);
        return {};
    }
    return plainText(bytes.str());
}

/// The words of an alignment; one that cannot be read is a problem of its recording.
std::string wordsOf(CorpusReading& reading, const fs::path& file, const std::string& stem,
                    const CorpusReading::Place& place) {
    try {
        constexpr Seconds kWhole{std::numeric_limits<double>::infinity()};
        std::string text;
        for (const auto& word : readAlignment(file, stem, kWhole).words)
            if (!isSilence(word.label))
                text += (text.empty() ? "" : " ") + word.label;
        return text;
    } catch (const Error& error) {
        std::string what = error.what();
        what.pop_back(); // its full stop
        reading.problem("corpus.badAlignment", place, what, false);
        return {};
    }
}

/// The split that a folder above the recording is named after, “train”, “Dev” or “test_clean”; else “all”.
std::string splitOf(const fs::path& relative) {
    constexpr std::array kSplits{"train", "dev", "test", "valid", "validation", "val", "eval"};
    for (const auto& folder : relative.parent_path()) {
        std::string name = folder.string();
        for (char& c : name)
            c = c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
        const auto word = name.substr(0, name.find_first_of("-_. 0123456789"));
        if (std::find(kSplits.begin(), kSplits.end(), word) == kSplits.end())
            continue;
        for (char& c : name) // as splits may be called
            c = (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' ? c : '-';
        return name;
    }
    return "all";
}

} // namespace

void readRecordings(CorpusReading& reading, CorpusDocument& document, std::vector<CorpusTable>& tables) {
    document.tasks = {{"asr", "", ""}};
    std::map<std::string, std::vector<Utterance>> splits;
    std::size_t found = 0;
    std::vector<CorpusReading::Place> silent;
    std::vector<fs::path> videos;
    const auto files = recordingsIn(reading, videos);
    sayWhatIsUnreadable(reading, videos);
    std::multiset<std::string> stems;
    for (const auto& file : files)
        stems.insert(fs::path(file).replace_extension().string());
    for (const auto& file : files) {
        const auto stem = fs::path(file).replace_extension();
        const CorpusReading::Place place{file.generic_string(), 0, {}};
        if (!isText(place.file)) {
            reading.problem("corpus.badText", place, "the name is not UTF-8", true);
            continue;
        }
        const bool shared = stems.count(stem.string()) > 1; // a.wav beside a.flac: the stem names neither
        Utterance utterance;
        utterance.id = (shared ? file : stem).generic_string();
        utterance.audio = reading.folder() / file;
        const auto beside = [&](const char* suffix) {
            auto neighbour = reading.folder() / stem;
            neighbour += suffix;
            return reading.isFile(neighbour) ? neighbour : fs::path();
        };
        utterance.alignment = reading.alignmentIn(alignmentFolders(reading.folder() / file), stem.filename().string());
        const fs::path text = beside(".txt");
        if (!text.empty())
            utterance.text = transcriptIn(reading, text, place);
        else if (!utterance.alignment.empty())
            utterance.text = wordsOf(reading, utterance.alignment, stem.filename().string(), place);
        if (utterance.text.empty()) {
            silent.push_back(place);
            for (const fs::path& written : {text, utterance.alignment}) // the others are only looked for
                if (!written.empty())
                    reading.dependsOnPath(written, false);
        }
        splits[splitOf(file)].push_back(std::move(utterance));
        ++found;
    }
    if (silent.size() < found)
        for (const auto& place : silent)
            reading.problem("corpus.emptyText", place,
                            "there is no .txt file or alignment beside it", false);
    std::set<std::string> names;
    for (const auto& [name, utterances] : splits)
        names.insert(name);
    document.splits = inUsualOrder(std::move(names));
    for (const std::string& name : document.splits)
        tables.push_back({name, "asr", std::move(splits.at(name))});
}

} // namespace headroom
