// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/kinds/recording_check.h"

#include "core/corpus/feature_archive.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/time/seconds_text.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>

namespace headroom {

namespace {

constexpr double kLongestOvershoot = 0.5; // seconds; --max-overshoot of Kaldi's extract-segments

CheckedRecording lookAt(const std::filesystem::path& file) {
    CheckedRecording checked;
    const auto refuse = [&](const std::string& code, std::string sentence) {
        if (sentence.ends_with('.'))
            sentence.pop_back();
        checked.code = code;
        checked.refusal = std::move(sentence);
    };
    // An archive is named with the bytes of each utterance: placeFeatures looks at them.
    if (AudioName{file, AudioPart()}.holdsFeatures()) {
        std::error_code missing;
        if (!std::filesystem::is_regular_file(file, missing))
            refuse("corpus.missingAudio", "the archive " + validText(file.string()) + " is not there");
        return checked;
    }
    try {
        checked.facts = readSoundFacts(file);
        if (checked.facts.truncated)
            refuse("corpus.cutShort", displayName(file) + " was cut short: it ends after " +
                                          counted(checked.facts.samples, "sample") + ", earlier than its header says");
    } catch (const Error& error) {
        refuse(error.code() == "audio.missing" ? "corpus.missingAudio" : error.code(), error.what());
        if (error.code() == "audio.missing")
            checked.refusal = "the recording " + validText(file.string()) + " is not there";
    }
    return checked;
}

std::string secondsOfSamples(std::int64_t samples, SampleRate rate) {
    return secondsText(rate.duration(Samples(samples)));
}

} // namespace

CheckedRecordings checkRecordings(const std::vector<SourceUtterance>& utterances, int threads,
                                  const std::function<void(std::int64_t, std::int64_t)>& progress) {
    CheckedRecordings checked;
    for (const auto& utterance : utterances)
        checked.try_emplace(utterance.audio);
    std::vector<CheckedRecordings::value_type*> all;
    for (auto& each : checked)
        all.push_back(&each);
    std::atomic<std::size_t> next{0};
    std::mutex mutex;
    std::int64_t done = 0;
    const auto work = [&] {
        for (std::size_t at = next++; at < all.size(); at = next++) {
            all[at]->second = lookAt(all[at]->first);
            const std::lock_guard lock(mutex);
            ++done;
            if (progress)
                progress(done, static_cast<std::int64_t>(all.size()));
        }
    };
    const auto wanted = threads > 0 ? static_cast<unsigned>(threads) : std::thread::hardware_concurrency();
    std::vector<std::jthread> pool;
    for (unsigned i = 1; i < std::clamp(wanted, 1u, 32u) && i < all.size(); ++i)
        pool.emplace_back(work);
    work();
    pool.clear(); // waits
    return checked;
}

bool placeSegment(SourceReading& reading, SourceUtterance& utterance, const SoundFacts& facts,
                  std::int64_t& samples) {
    const auto refuse = [&](const char* code, const std::string& what) {
        reading.problem(code, utterance.place, utterance.id, what);
        return false;
    };
    if (utterance.statedRate && *utterance.statedRate != facts.rate.hertz())
        return refuse("corpus.rate", "the corpus says " + grouped(*utterance.statedRate) + " Hz, but " +
                                         displayName(utterance.audio) + " has " +
                                         grouped(facts.rate.hertz()) + " Hz");
    samples = facts.samples;
    if (!utterance.part && !utterance.start)
        return true;
    if (!utterance.part) {
        const auto start = facts.rate.nearest(*utterance.start).value();
        utterance.part = AudioPart{start, utterance.duration ? facts.rate.nearest(*utterance.duration).value()
                                                             : facts.samples - start};
    }
    AudioPart& part = *utterance.part;
    if (part.start < 0 || (part.count <= 0 && part.start < facts.samples))
        return refuse("corpus.badSegment", "the segment has no samples, or begins before the recording");
    const auto beyond = part.start + part.count - facts.samples;
    if (beyond > 0) {
        const auto end = secondsOfSamples(part.start + part.count, facts.rate),
                   there = secondsOfSamples(facts.samples, facts.rate);
        const auto where =
            "the segment ends at " + end + ", but " + displayName(utterance.audio) + " at " + there;
        if (part.start >= facts.samples || facts.rate.duration(Samples(beyond)).value() > kLongestOvershoot)
            return refuse("corpus.beyond", where);
        reading.problem("corpus.overshoot", utterance.place, utterance.id, where + "; it is cut there",
                        false);
        part.count = facts.samples - part.start;
    }
    samples = part.count;
    if (part.start == 0 && part.count == facts.samples)
        utterance.part.reset();
    return true;
}

bool placeFeatures(SourceReading& reading, const SourceUtterance& utterance, std::int64_t& columns,
                   std::int64_t& samples) {
    const auto refuse = [&](std::string what) {
        if (what.ends_with('.'))
            what.pop_back();
        reading.problem("corpus.features", utterance.place, utterance.id, what);
        return false;
    };
    const AudioName name{utterance.audio, utterance.part};
    if (utterance.speed != 1)
        return refuse("features have no other speed");
    ArchivedShape shape;
    try {
        shape = archivedShape(name);
    } catch (const Error& error) {
        return refuse(error.what());
    }
    if (utterance.statedFrames && *utterance.statedFrames != shape.frames)
        return refuse("the table states " + counted(*utterance.statedFrames, "frame") + ", but " +
                      displayName(name.path()) + " has " + grouped(shape.frames) +
                      ". The table belongs to another archive");
    if (columns == 0)
        columns = shape.features;
    if (shape.features != columns)
        return refuse(displayName(name.path()) + " has " + counted(shape.features, "feature") +
                      " in a frame, and those before it " + grouped(columns));
    constexpr std::int64_t kWindow = 400, kHop = 160;
    samples = kWindow + (shape.frames - 1) * kHop;
    return true;
}

std::string featuresNote(std::int64_t utterances, std::int64_t columns) {
    return counted(utterances, "utterance") + (utterances == 1 ? " is" : " are") + " stored features, " +
           grouped(columns) +
           " in a frame, and no sound. Dither and the times of frames are those of the program that made them. Models "
           "can be trained and evaluated on them; nothing can be played or analysed.";
}

} // namespace headroom
