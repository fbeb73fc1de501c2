// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/sound_facts.h"

#include "core/audio/sound_file.h"
#include "core/audio/sound_header.h"

#include <vector>

namespace headroom {

namespace {

/// Counts to the end, or to the damage.
std::int64_t decodedFrames(SoundFile& sound) {
    constexpr sf_count_t kBlock = 16384;
    std::vector<float> block(static_cast<std::size_t>(kBlock * sound.info().channels));
    std::int64_t frames = 0;
    for (sf_count_t got = 0; (got = sound.read(block.data(), kBlock)) > 0;)
        frames += got;
    return frames;
}

/// Whether the header's number of frames is true: counted from the bytes, or its last frame can be read.
bool isWhole(SoundFile& sound) {
    const SF_INFO& info = sound.info();
    if (countsFramesFromBytes(info.format))
        return !sound.truncation(info.frames);
    if ((info.format & SF_FORMAT_TYPEMASK) != SF_FORMAT_FLAC || info.frames <= 0)
        return false;
    std::vector<float> last(static_cast<std::size_t>(info.channels));
    return sound.moveTo(info.frames - 1) && sound.read(last.data(), 1) == 1 && sound.damage().empty();
}

bool isLossy(const SF_INFO& info) {
    return !countsFramesFromBytes(info.format) && (info.format & SF_FORMAT_TYPEMASK) != SF_FORMAT_FLAC;
}

SoundFacts factsOf(const std::filesystem::path& file, bool decodesLossy) {
    SoundFile sound(file);
    SoundFacts facts;
    facts.rate = SampleRate(sound.info().samplerate);
    facts.channels = sound.info().channels;
    facts.format = formatName(sound.info().format);
    if (!decodesLossy && isLossy(sound.info())) {
        if (lacksEndMark(sound.info()))
            facts.truncated =
                Warning{"audio.truncated", sound.name() + " has no end mark, so it is truncated."};
        return facts;
    }
    if (isWhole(sound)) {
        facts.samples = sound.info().frames;
    } else {
        SoundFile again(file);
        facts.samples = decodedFrames(again);
        facts.truncated = again.truncation(facts.samples);
        if (facts.samples == 0 && !again.damage().empty())
            again.fail("audio.unreadable", again.name() + " cannot be read: " + again.damage() + ".");
    }
    if (facts.samples == 0)
        sound.fail("audio.noSamples", sound.name() + " has a header but no samples.");
    return facts;
}

} // namespace

SoundFacts readSoundFacts(const std::filesystem::path& file) {
    return factsOf(file, true);
}

SoundFacts readSoundHeader(const std::filesystem::path& file) {
    return factsOf(file, false);
}

} // namespace headroom
