// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/corpus/recording_looks.h"

#include "core/audio/audio_name.h"
#include "core/audio/sound_facts.h"
#include "core/corpus/feature_archive.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/time/clocks.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdlib>
#include <thread>

namespace headroom {

namespace {

constexpr std::int64_t kFramesOfRounding = 2; ///< frames by which training lets a table be wrong
constexpr unsigned kMostLookers = 16;

/// Calls work(i) for every i below `count`, on several threads.
template <class Work>
void onThreads(std::size_t count, const Work& work) {
    std::atomic<std::size_t> next{0};
    const auto take = [&] {
        for (std::size_t i = next++; i < count; i = next++)
            work(i);
    };
    std::vector<std::jthread> pool;
    for (unsigned i = 1; i < std::clamp(std::thread::hardware_concurrency(), 1u, kMostLookers) && i < count;
         ++i)
        pool.emplace_back(take);
    take();
}

RecordingLook wrongLook(const char* code, std::string sentence, bool isUsable = false) {
    return {std::nullopt, code, std::move(sentence), isUsable};
}

} // namespace

RecordingLooks::File RecordingLooks::fileAt(const std::filesystem::path& file, bool decodes) {
    File found;
    try {
        const SoundFacts facts = decodes ? readSoundFacts(file) : readSoundHeader(file);
        found.rate = facts.rate.hertz();
        found.samples = facts.samples;
        found.lengthIsKnown = decodes || facts.samples > 0;
        found.isTruncated = facts.truncated.has_value();
    } catch (const Error& error) {
        found.problem = error.what();
    }
    return found;
}

RecordingLook RecordingLooks::lookAt(const Utterance& utterance, const File* known) {
    const AudioName name = audioName(utterance.audio);
    RecordingLook look;
    if (name.holdsFeatures()) {
        try {
            look.frames = archivedShape(name).frames;
        } catch (const Error& error) {
            return wrongLook("corpus.unreadable", error.what());
        }
    } else {
        const File file = known ? *known : fileAt(name.file, !utterance.frames);
        if (!file.problem.empty())
            return wrongLook("corpus.unreadable", file.problem);
        if (name.part && file.lengthIsKnown && name.part->start + name.part->count > file.samples)
            return wrongLook("corpus.unreadable", displayName(utterance.audio) + " is not inside its file.");
        if (name.part || file.lengthIsKnown) {
            const auto samples = static_cast<double>(name.part ? name.part->count : file.samples);
            const auto resampled = static_cast<std::int64_t>(
                std::llround(samples * kModelSampleRate.hertz() / rateAtSpeed(file.rate, name.speed)));
            look.frames = FrameClock().frameCount(Samples(resampled), kModelSampleRate).value();
        }
        if (!name.part && file.isTruncated)
            look = {look.frames, "corpus.cutShort",
                    displayName(name.file) + " was cut short: it ends earlier than its header says.", true};
    }
    if (look.frames && utterance.frames &&
        std::abs(*look.frames - utterance.frames->value()) > kFramesOfRounding) {
        look.isUsable = false;
        look.sentence += (look.sentence.empty() ? "" : " ") + std::string("The table states ") +
                         counted(utterance.frames->value(), "frame") + ", but " +
                         displayName(utterance.audio) + " has " + grouped(*look.frames) + ".";
        if (look.code.empty())
            look.code = "corpus.otherLength";
    }
    return look;
}

std::vector<RecordingLook> RecordingLooks::at(std::span<const Utterance> utterances) {
    // Files with parts first, each once; a map keeps its values where they are.
    std::vector<const File*> known(utterances.size());
    std::vector<std::pair<const std::pair<std::string, bool>, File>*> fresh;
    for (std::size_t i = 0; i < utterances.size(); ++i) {
        const AudioName name = audioName(utterances[i].audio);
        if (!name.part || name.holdsFeatures())
            continue;
        const auto [entry, isNew] = m_parted.try_emplace({name.file.string(), !utterances[i].frames});
        known[i] = &entry->second;
        if (isNew)
            fresh.push_back(&*entry);
    }
    onThreads(fresh.size(), [&](std::size_t i) {
        fresh[i]->second = fileAt(fresh[i]->first.first, fresh[i]->first.second);
    });
    std::vector<RecordingLook> looks(utterances.size());
    onThreads(utterances.size(), [&](std::size_t i) {
        if (!utterances[i].audio.empty())
            looks[i] = lookAt(utterances[i], known[i]);
    });
    return looks;
}

} // namespace headroom
