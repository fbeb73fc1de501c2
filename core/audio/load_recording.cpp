// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/audio/audio_file.h"
#include "core/audio/audio_name.h"
#include "core/audio/sound_file.h"
#include "core/audio/sound_header.h"
#include "core/audio/stream_resampler.h"
#include "core/errors/count_text.h"
#include "core/errors/display_name.h"
#include "core/tensors/npy_header.h"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <optional>

namespace headroom {

namespace {

/// Below −60 dB of what the channels hold, their mean counts as silence.
constexpr double kSilentShare = 1e-6;

/// Samples for which room is made because a header promises them: a minute.
constexpr std::size_t kMostClaimed = 60 * 16000;

/// One pass over the file.
struct Pass {
    std::vector<float> samples; ///< mono, 16 kHz
    std::int64_t frames = 0;    ///< read, at the file's own rate
    std::int64_t notFinite = 0; ///< samples, over all channels
    double meanEnergy = 0;      ///< of the channels' mean
    std::vector<double> channelEnergies;
};

/// Sets samples that are no finite numbers to 0, and returns how many there were.
std::int64_t silenceNotFinite(float* samples, sf_count_t count) {
    std::int64_t found = 0;
    for (sf_count_t i = 0; i < count; ++i)
        if (!std::isfinite(samples[i])) {
            samples[i] = 0;
            ++found;
        }
    return found;
}

/// Reads at most so many frames; mono is the mean of the channels, or one of them.
Pass readFrames(SoundFile& file, double speed, std::int64_t frames, std::optional<int> onlyChannel) {
    const int channels = file.info().channels;
    const SampleRate rate(rateAtSpeed(file.info().samplerate, speed));
    const sf_count_t blockFrames = std::max(1, 65536 / channels);
    std::vector<float> block(static_cast<std::size_t>(blockFrames * channels));
    std::vector<float> mono(static_cast<std::size_t>(blockFrames));
    Pass pass;
    pass.channelEnergies.resize(static_cast<std::size_t>(channels));
    auto expected = static_cast<std::size_t>(file.duration(std::min(file.info().frames, frames)) * kModelSampleRate.hertz());
    if (!countsFramesFromBytes(file.info().format)) // the number is only a claim
        expected = std::min(expected, kMostClaimed);
    pass.samples.reserve(expected + 32768);
    StreamResampler resampler(rate, kModelSampleRate);

    for (sf_count_t got = 0;
         (got = file.read(block.data(), std::min(blockFrames, frames - pass.frames))) > 0;) {
        for (sf_count_t i = 0; i < got && channels > 1; ++i) {
            float* frame = block.data() + i * channels;
            double sum = 0;
            for (int c = 0; c < channels; ++c) {
                if (!std::isfinite(frame[c])) {
                    frame[c] = 0;
                    ++pass.notFinite;
                }
                sum += frame[c];
                pass.channelEnergies[static_cast<std::size_t>(c)] += static_cast<double>(frame[c]) * frame[c];
            }
            const double mean = sum / channels;
            pass.meanEnergy += mean * mean;
            mono[static_cast<std::size_t>(i)] = onlyChannel ? frame[*onlyChannel] : static_cast<float>(mean);
        }
        pass.frames += got;
        if (file.isTooLong(pass.frames))
            file.failTooLong();
        if (channels == 1) // nothing to mix, and nothing that could cancel
            pass.notFinite += silenceNotFinite(block.data(), got);
        resampler.push({channels == 1 ? block.data() : mono.data(), static_cast<std::size_t>(got)}, pass.samples);
    }
    resampler.finish(pass.samples);
    return pass;
}

/// The channel to hear instead of the mean, where the channels cancel each other.
std::optional<int> cancelledChannel(const Pass& pass) {
    double mean = 0;
    for (const double energy : pass.channelEnergies)
        mean += energy / static_cast<double>(pass.channelEnergies.size());
    if (mean <= 0 || pass.meanEnergy > kSilentShare * mean)
        return std::nullopt;
    const auto loud = std::ranges::find_if(pass.channelEnergies, [](double energy) { return energy > 0; });
    return static_cast<int>(loud - pass.channelEnergies.begin());
}

[[noreturn]] void failEmpty(const SoundFile& sound) {
    if (const std::string damage = sound.damage(); !damage.empty())
        sound.fail("audio.unreadable", sound.name() + " cannot be read: " + damage + ".");
    sound.fail("audio.noSamples", sound.name() + " has a header but no samples.");
}

/// The extents of an array of its own file that is no matrix, as features are: "12 × 12 × 265 × 265". Empty for a matrix,
/// and for what cannot be read.
std::string otherExtents(const AudioName& name) {
    if (name.part)
        return {};
    constexpr std::size_t kHeaderBytes = 4096;
    std::vector<char> start(kHeaderBytes);
    std::ifstream file(name.file, std::ios::binary);
    file.read(start.data(), static_cast<std::streamsize>(start.size()));
    start.resize(static_cast<std::size_t>(file.gcount()));
    std::string extents;
    try {
        const NpyLayout layout = npyLayout(std::as_bytes(std::span(start)), name.file.string());
        if (layout.shape.size() == 2)
            return {};
        for (const std::int64_t extent : layout.shape)
            extents += (extents.empty() ? "" : " × ") + grouped(extent);
    } catch (const Error&) {
    }
    return extents;
}

/// What should be sound holds numbers.
[[noreturn]] void failNumbers(const std::filesystem::path& named, const AudioName& name) {
    const std::string extents = otherExtents(name);
    throw Error("audio.features",
                displayName(named) +
                    (extents.empty() ? " holds features, not sound: models can be trained and evaluated on them, but "
                                       "nothing can be played or analysed."
                                     : " holds an array of " + extents + " numbers, neither sound nor features."),
                {{"file", named.string()}});
}

[[noreturn]] void failPart(const SoundFile& sound, const AudioPart& part, std::int64_t samples) {
    sound.fail("audio.part", sound.name() + " has " + counted(samples, "sample") + "; the part from " +
                                 grouped(part.start) + " to " + grouped(part.start + part.count) +
                                 " is not inside it.");
}

Pass readPart(SoundFile& sound, const AudioPart& part, double speed, std::optional<int> onlyChannel) {
    if (part.count == 0)
        sound.fail("audio.noSamples", "The part of " + sound.name() + " has no samples.");
    if (!sound.moveTo(part.start))
        failPart(sound, part, sound.info().frames);
    Pass pass = readFrames(sound, speed, part.count, onlyChannel);
    if (pass.frames < part.count)
        failPart(sound, part, part.start + pass.frames);
    return pass;
}

Pass readNamed(SoundFile& sound, const AudioName& name, std::optional<int> onlyChannel) {
    if (name.part)
        return readPart(sound, *name.part, name.speed, onlyChannel);
    if (countsFramesFromBytes(sound.info().format) && sound.isTooLong(sound.info().frames))
        sound.failTooLong();
    return readFrames(sound, name.speed, std::numeric_limits<std::int64_t>::max(), onlyChannel);
}

} // namespace

bool Recording::isSilent() const {
    constexpr float kQuietest = 1e-4F;
    return std::none_of(samples.begin(), samples.end(), [](float sample) { return std::abs(sample) >= kQuietest; });
}

Recording loadRecording(const std::filesystem::path& named) {
    const AudioName name = audioName(named);
    if (name.holdsFeatures())
        failNumbers(named, name);
    std::optional<SoundFile> sound(std::in_place, name.file);
    Pass pass = readNamed(*sound, name, std::nullopt);
    if (pass.frames == 0)
        failEmpty(*sound);
    if (pass.samples.empty())
        sound->fail("audio.noSamples", sound->name() + " has " + counted(pass.frames, "sample") + " at " +
                                           grouped(sound->info().samplerate) +
                                           " Hz: less than one sample at 16,000 Hz.");
    Recording recording;
    recording.file = named;
    recording.originalRate = SampleRate(sound->info().samplerate);
    recording.originalChannels = sound->info().channels;
    recording.originalFormat = formatName(sound->info().format);
    if (!name.part)
        if (auto warning = sound->truncation(pass.frames))
            recording.warnings.push_back(std::move(*warning));
    if (pass.notFinite > 0)
        recording.warnings.push_back(
            {"audio.notFinite",
             sound->name() + " has " +
                 (pass.notFinite == 1 ? "1 sample that is not a finite number; it was set to 0."
                                      : grouped(pass.notFinite) +
                                            " samples that are not finite numbers; they were set to 0.")});
    if (const auto channel = cancelledChannel(pass)) {
        recording.warnings.push_back(
            {"audio.antiphase", "The " + std::to_string(recording.originalChannels) + " channels of " +
                                    sound->name() + " cancel each other: their mean is silence. Channel " +
                                    std::to_string(*channel + 1) + " is used alone."});
        sound.emplace(name.file);
        pass = readNamed(*sound, name, channel);
    }
    recording.samples = std::move(pass.samples);
    return recording;
}

} // namespace headroom
