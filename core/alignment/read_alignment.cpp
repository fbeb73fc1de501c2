// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/alignment/grid_text.h"
#include "core/alignment/list_text.h"
#include "core/audio/audio_name.h"
#include "core/audio/sound_endings.h"
#include "core/audio/sound_facts.h"
#include "core/errors/display_name.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>

namespace headroom {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kListsKept = 8;

/// A file that was read: a grid, a list, or why neither.
struct ReadFile {
    fs::path file;
    std::uintmax_t size = 0;
    fs::file_time_type time;
    std::optional<TextGrid> grid;
    AlignmentList list;
    bool countsSamples = false; ///< TIMIT's
    std::optional<Error> error;
};

std::shared_ptr<const ReadFile> readNow(const fs::path& file, std::uintmax_t size, fs::file_time_type time) {
    auto read = std::make_shared<ReadFile>();
    read->file = file;
    read->size = size;
    read->time = time;
    try {
        const auto bytes = bytesOf(file, "alignment.missing");
        const auto name = displayName(file);
        const auto format = alignmentFormat(bytes, name);
        read->countsSamples = format == AlignmentFormat::Timit;
        if (format == AlignmentFormat::TextGrid)
            read->grid = parseTextGrid(bytes, name);
        else
            read->list = parseAlignmentList(bytes, name);
    } catch (const Error& error) {
        read->error = error;
    }
    return read;
}

/// Grids are about one utterance and not worth keeping.
std::shared_ptr<const ReadFile> readOnce(const fs::path& file) {
    static std::mutex mutex;
    static std::deque<std::shared_ptr<const ReadFile>> kept;
    std::error_code ignored;
    const auto size = fs::file_size(file, ignored);
    const auto time = fs::last_write_time(file, ignored);
    {
        const std::scoped_lock lock(mutex);
        for (const auto& read : kept)
            if (read->file == file && read->size == size && read->time == time)
                return read;
    }
    auto read = readNow(file, size, time);
    if (read->grid || read->error)
        return read;
    const std::scoped_lock lock(mutex);
    std::erase_if(kept, [&](const auto& other) { return other->file == file; });
    kept.push_back(read);
    if (kept.size() > kListsKept)
        kept.pop_front();
    return read;
}

/// "dev/84-121123-0000.flac" → "84-121123-0000"
std::string lastPart(std::string name) {
    if (const auto slash = name.find_last_of("/\\"); slash != std::string::npos)
        name = name.substr(slash + 1);
    return isNamedAsSound(name) ? name.substr(0, name.find_last_of('.')) : name;
}

bool namesNone(const AlignmentList& list) {
    return list.size() == 1 && list.begin()->first.empty();
}

const ListedAlignment* findOne(const AlignmentList& list, const std::string& utterance) {
    if (const auto found = list.find(utterance); found != list.end())
        return &found->second;
    const ListedAlignment* same = nullptr;
    for (const auto& [name, listed] : list)
        if (lastPart(name) == lastPart(utterance)) {
            if (same != nullptr)
                return nullptr; // two of them: neither
            same = &listed;
        }
    return same;
}

const ListedAlignment* find(const AlignmentList& list, const NamesInLists& utterance) {
    for (const std::string& name : utterance.names)
        if (const ListedAlignment* found = findOne(list, name))
            return found;
    return nullptr;
}

/// Whether a file that names nobody is called as the utterance.
bool isCalledAs(const fs::path& file, const NamesInLists& utterance) {
    constexpr std::string_view kList = ".alignment";
    std::string stem = file.stem().string();
    if (stem.ends_with(kList))
        stem.resize(stem.size() - kList.size());
    return std::ranges::any_of(utterance.names, [&](const std::string& name) { return lastPart(name) == lastPart(stem); });
}

bool isGridByName(const fs::path& file) {
    const auto suffix = file.extension().string();
    return suffix == ".TextGrid" || suffix == ".textgrid";
}

/// The rate of the recording that a file of samples is about: the one of its name beside it, or where
/// alignmentBeside() would have come from. TIMIT's own, 16 kHz, where there is none that can be read.
SampleRate rateOfSamples(const fs::path& file) {
    std::error_code ignored;
    for (const fs::path& place : {file, fs::canonical(file, ignored)}) { // a corpus links to what it was made of
        const fs::path folder = place.parent_path();
        std::vector<fs::path> folders{folder};
        if (folder.filename() == "alignments") {
            folders.push_back(folder.parent_path());
            folders.push_back(folder.parent_path() / "audio");
        }
        std::optional<SampleRate> rate;
        const auto isReadable = [&](const fs::path& recording) {
            if (!fs::is_regular_file(recording, ignored))
                return false;
            try {
                rate = readSoundHeader(recording).rate;
            } catch (const Error&) { // said where the recording is read
            }
            return rate.has_value();
        };
        for (const fs::path& one : folders)
            if (!soundOfStem(one / place.stem(), isReadable).empty())
                return *rate;
    }
    return kModelSampleRate;
}

/// From the seconds that they are at 16 kHz to those of the recording.
void readAtRate(Alignment& alignment, SampleRate rate) {
    const double factor = static_cast<double>(kModelSampleRate.hertz()) / rate.hertz();
    for (auto* tier : {&alignment.words, &alignment.phones})
        for (Interval& interval : *tier) {
            interval.start = interval.start * factor;
            interval.end = interval.end * factor;
        }
}

} // namespace

std::optional<AlignmentFormat> alignmentFormat(std::string_view bytes, const std::string& name) {
    std::string text;
    try {
        text = gridText(bytes, name);
    } catch (const Error&) {
        return std::nullopt;
    }
    const auto start = text.find_first_not_of(" \t\n");
    if (start == std::string::npos)
        return std::nullopt;
    if (text.compare(start, 9, "File type") == 0 || text.compare(start, 11, "\"ooTextFile") == 0 ||
        text.starts_with("ooBinaryFile"))
        return AlignmentFormat::TextGrid;
    if (looksLikeLibriSpeech(text))
        return AlignmentFormat::LibriSpeech;
    if (looksLikeTable(text))
        return AlignmentFormat::Table;
    if (looksLikeCtm(text))
        return AlignmentFormat::Ctm;
    if (looksLikeTimit(text))
        return AlignmentFormat::Timit;
    return std::nullopt;
}

AlignmentList parseAlignmentList(std::string_view bytes, const std::string& name) {
    const auto text = gridText(bytes, name);
    if (text.find_first_not_of(" \t\n") == std::string::npos)
        throw Error("alignment.empty", name + " is empty.", {{"file", name}});
    if (looksLikeLibriSpeech(text))
        return parseLibriSpeech(text, name);
    if (looksLikeTable(text))
        return parseTable(text, name);
    if (looksLikeCtm(text))
        return parseCtm(text, name);
    if (looksLikeTimit(text))
        return parseTimit(text, name);
    throw Error("alignment.notAlignment",
                name + " is not an alignment: it is neither a TextGrid nor a CTM, and has no header with "
                       "start, "
                       "end and label.",
                {{"file", name}});
}

NamesInLists::NamesInLists(const std::string& id, const fs::path& recording) {
    const std::string stem = recording.stem().string();
    if (!id.empty())
        names.push_back(id);
    if (id.empty() || (id != stem && !stem.empty() && audioName(recording).isWhole()))
        names.push_back(stem);
}

Alignment readAlignment(const fs::path& file, const NamesInLists& utterance, Seconds duration) {
    const auto name = displayName(file);
    if (isGridByName(file))
        return alignmentFrom(readTextGrid(file), duration, name);
    const auto read = readOnce(file);
    if (read->error)
        throw Error(*read->error);
    if (read->grid)
        return alignmentFrom(*read->grid, duration, name);
    const auto* listed = namesNone(read->list) ? &read->list.begin()->second : find(read->list, utterance);
    if (listed == nullptr)
        throw Error(
            "alignment.notListed",
            name + " does not have “" + utterance.names.front() + "”; it has " + std::to_string(read->list.size()) +
                " others" +
                (read->list.empty() ? "." : ", the first of them “" + read->list.begin()->first + "”."),
            {{"file", name}, {"utterance", utterance.names.front()}});
    if (listed->error)
        throw Error(*listed->error);
    Alignment alignment;
    alignment.words = listed->words;
    alignment.phones = listed->phones;
    alignment.warnings = listed->warnings;
    if (read->countsSamples)
        readAtRate(alignment, rateOfSamples(file));
    cutTo(alignment, duration, name);
    return alignment;
}

bool isListed(const fs::path& list, const NamesInLists& utterance) {
    const auto read = readOnce(list);
    if (read->error || read->grid)
        return false;
    return namesNone(read->list) ? isCalledAs(list, utterance) : find(read->list, utterance) != nullptr;
}

bool isOfOneRecording(const fs::path& file) {
    if (isGridByName(file))
        return true;
    const auto read = readOnce(file);
    return !read->error && (read->grid || namesNone(read->list));
}

std::optional<std::string> whyNoAlignment(const fs::path& file) {
    if (isGridByName(file))
        return std::nullopt;
    const auto read = readOnce(file);
    return read->error ? std::optional<std::string>(read->error->what()) : std::nullopt;
}

TextGrid textGridOf(const Alignment& alignment, Seconds duration) {
    TextGrid grid;
    grid.end = duration;
    grid.tiers = {{"words", false, alignment.words, {}}, {"phones", false, alignment.phones, {}}};
    if (!alignment.origin.empty())
        grid.tiers.push_back({"origin", false, {{Seconds(0), duration, alignment.origin}}, {}});
    return grid;
}

} // namespace headroom
