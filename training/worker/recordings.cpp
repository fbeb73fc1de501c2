// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/recordings.h"

#include "core/corpus/corpus_reading.h"
#include "core/corpus/kinds/text_lines.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/unread_file.h"
#include "core/features/features.h"
#include "core/time/seconds_text.h"
#include "models/layers/device_errors.h"

#include <algorithm>
#include <cmath>
#include <exception>
#include <map>
#include <set>

namespace headroom::training {

namespace {

/// Whoever chose a part that is too short should not read of a recording that is.
void requireAFrame(const std::filesystem::path& file, std::size_t samples) {
    const auto needed =
        static_cast<std::size_t>(std::llround(FrameClock().length().value() * kModelSampleRate.hertz()));
    if (samples < needed)
        throw Error("features.tooShort",
                    displayName(file) + ": the part has " +
                        counted(static_cast<std::int64_t>(samples), "sample") +
                        " at 16,000 Hz; one frame needs 25 ms, that is " + std::to_string(needed) + ".",
                    {{"samples", samples}, {"needed", needed}});
}

} // namespace

std::vector<std::optional<std::string>> resultNames(const std::vector<std::filesystem::path>& recordings) {
    std::map<std::string, int> stems;
    for (const auto& recording : recordings)
        ++stems[recording.stem().string()];
    std::set<std::string> taken;
    std::vector<std::optional<std::string>> names;
    for (const auto& recording : recordings) {
        auto name = recording.stem().string();
        if (stems[name] > 1)
            name = recording.filename().string();
        if (taken.insert(name).second)
            names.emplace_back(std::move(name));
        else
            names.emplace_back(std::nullopt);
    }
    return names;
}

std::vector<std::string> sentencesIn(const std::filesystem::path& file) {
    std::error_code ignored;
    if (!std::filesystem::exists(file, ignored))
        throw Error("text.missing", unreadText(file), {{"file", file.string()}});
    std::vector<std::string> sentences;
    LineReader reader(file);
    for (std::string line; reader.next(line);)
        sentences.emplace_back(trimmedText(line));
    return sentences;
}

std::string nameTaken(const std::filesystem::path& recording) {
    return recording.string() + " was left out: an earlier recording has the name " +
           recording.filename().string() + ", and its results would be overwritten.";
}

Part loadPart(const std::filesystem::path& file, std::optional<double> from, std::optional<double> to) {
    auto recording = loadRecording(file);
    Part part{{}, Seconds(0), std::move(recording.warnings)};
    const auto count = static_cast<std::int64_t>(recording.samples.size());
    const double length = recording.duration().value();
    // Compared in seconds first: a time of 1e300 has no sample.
    if (from && *from >= length)
        throw Error("audio.noSuchPart",
                    displayName(file) + " ends at " + secondsText(Seconds(length)) + ", before --from " + secondsText(Seconds(*from)) +
                        ".",
                    {{"from", *from}, {"duration", length}});
    if (to && *to > length)
        part.warnings.push_back({"audio.partCut", displayName(file) + " ends at " + secondsText(Seconds(length)) +
                                                      ", before --to " + secondsText(Seconds(*to)) +
                                                      ". The part ends there."});
    const std::int64_t first = from ? std::min(kModelSampleRate.nearest(Seconds(*from)).value(), count) : 0;
    const std::int64_t last =
        to && *to <= length ? std::min(kModelSampleRate.nearest(Seconds(*to)).value(), count) : count;
    part.start = kModelSampleRate.duration(Samples(first));
    if (first == 0 && last == count)
        part.samples = std::move(recording.samples);
    else
        part.samples.assign(recording.samples.begin() + first, recording.samples.begin() + last);
    if (from || to)
        requireAFrame(file, part.samples.size());
    return part;
}

std::string sentenceAbout(const std::filesystem::path& file, const Error& error) {
    const std::string sentence = error.what();
    const auto name = displayName(file);
    return sentence.find(name) != std::string::npos ? sentence : name + ": " + sentence;
}

nlohmann::json forEachRecording(const std::vector<std::filesystem::path>& audio, bool named, Console& console,
                                const nlohmann::json& failed, const RecordingWork& work) {
    const auto names = resultNames(audio);
    const auto total = static_cast<std::int64_t>(audio.size());
    auto rows = nlohmann::json::array();
    for (std::size_t index = 0; index < audio.size(); ++index) {
        const auto& file = audio[index];
        console.progressAt(static_cast<std::int64_t>(index), total, file.filename().string());
        std::string sentence;
        try {
            if (named && !names[index])
                throw Error("output.nameTaken", nameTaken(file));
            rows.push_back(work(file, names[index]));
            continue;
        } catch (const Error& error) {
            sentence = sentenceAbout(file, error);
        } catch (const std::exception& error) {
            if (!models::isOutOfMemory(error))
                throw;
            sentence = file.string() + " does not fit into memory.";
        }
        console.problem(sentence);
        rows.push_back(failed);
        rows.back()["audio"] = file.string();
        rows.back()["error"] = sentence;
    }
    return rows;
}

Part loadNoted(const std::filesystem::path& file, Console& console, std::optional<double> from,
               std::optional<double> to) {
    Part part = loadPart(file, from, to);
    for (const auto& warning : part.warnings)
        console.note(warning.sentence);
    return part;
}

std::string wholeCorpus(const std::filesystem::path& data) {
    if (std::error_code ignored; !std::filesystem::exists(data, ignored))
        throw missingFolder(data);
    return std::filesystem::absolute(data).lexically_normal().string();
}

void makeFolder(const std::filesystem::path& folder) {
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    if (problem)
        throw Error("output.unwritable",
                    "The folder " + folder.string() + " could not be created: " + problem.message() + ".");
}

} // namespace headroom::training
