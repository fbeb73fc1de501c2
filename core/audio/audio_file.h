// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/time/units.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// A recording as the house hears it: 16 kHz, mono, float, nominally in [−1, 1] (louder float files stay
/// louder).
///
/// A value; safe to move between threads.
struct Recording {
    std::vector<float> samples; ///< at kModelSampleRate, mono
    std::filesystem::path file; ///< where it came from; empty for what was just recorded
    SampleRate originalRate{kModelSampleRate};
    int originalChannels = 1;
    std::string originalFormat;    ///< "WAV, 16-bit PCM", for the tooltip
    std::vector<Warning> warnings; ///< cut short, NaN samples replaced, antiphase channels …

    Seconds duration() const {
        return kModelSampleRate.duration(Samples(static_cast<std::int64_t>(samples.size())));
    }
};

/// Reads an audio file (everything libsndfile reads: wav, flac, ogg, opus, aiff, mp3 …), mixes its channels
/// to mono by their mean, and resamples to 16 kHz (soxr, very high quality). The content decides the format,
/// not the name.
///
/// Throws Error, one sentence that names the file: "audio.missing", "audio.empty" (0 bytes),
/// "audio.notAudio", "audio.noSamples" (also less than one sample at 16 kHz), "audio.unreadable" (damaged),
/// "audio.tooLong" (over six hours), "audio.badRate" (outside 100 Hz … 1 MHz). What could be read of a file
/// that is cut short is returned with a Warning "audio.truncated" that gives both numbers; NaN and infinite
/// samples are set to 0 with a Warning "audio.notFinite" that counts them; channels that cancel (mean is
/// silence, channels are not) fall back to channel 1 (the first that is not silent) with a Warning
/// "audio.antiphase". "audio.truncated" also says that an Ogg file lacks its end mark, or that decoding
/// stopped at damage. Not noticed: an MP3 file of constant bit rate that was cut, and a FLAC file that holds
/// more than its header says (nothing tells). Reads and resamples in blocks: memory is that of the result.
/// Blocking; call it off the window's thread. Safe from several threads at once.
Recording loadRecording(const std::filesystem::path& file);

/// Writes 16-bit PCM WAV atomically (temporary file, then rename). Samples beyond ±1 are clipped. Throws
/// Error "audio.unwritable".
void saveWav(const std::filesystem::path& file, std::span<const float> samples, SampleRate rate);

/// Mono float samples at one rate to another (soxr, very high quality). The result has round(n · to / from)
/// samples.
std::vector<float> resample(std::span<const float> samples, SampleRate from, SampleRate to);

} // namespace headroom
