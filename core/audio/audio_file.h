// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"
#include "core/time/units.h"

#include <filesystem>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// A recording in Headroom's format: 16 kHz, mono, float, nominally in [−1, 1] (louder float files stay
/// louder). A value; safe to move between threads.
struct Recording {
    std::vector<float> samples; ///< at kModelSampleRate, mono
    std::filesystem::path file; ///< source; empty for a new recording
    SampleRate originalRate{kModelSampleRate};
    int originalChannels = 1;
    std::string originalFormat;    ///< "WAV, 16-bit PCM", for the tool tip
    std::vector<Warning> warnings; ///< truncated, NaN samples replaced, antiphase channels …

    /// Nothing is above −80 dBFS: not quiet but empty, since a 16-bit file has three levels there.
    bool isSilent() const;
    Seconds duration() const {
        return kModelSampleRate.duration(Samples(static_cast<std::int64_t>(samples.size())));
    }
};

/// Reads an audio file in any format of libsndfile (WAV, FLAC, Ogg, Opus, AIFF, MP3 …), mixes its channels to
/// mono by their mean, and resamples to 16 kHz (soxr, very high quality). The content decides the format, not
/// the name. A name may end with a part of the file and a speed (audio_name.h).
///
/// Errors, one sentence that names the file: "audio.missing", "audio.empty" (0 bytes), "audio.notAudio",
/// "audio.noSamples" (also less than one sample at 16 kHz), "audio.unreadable" (damaged), "audio.tooLong"
/// (over six hours), "audio.badRate" (outside 100 Hz … 1 MHz), "audio.part" (a part beyond its file).
///
/// Warnings:
/// - "audio.truncated": the readable part is returned, with both numbers; also for an Ogg file without end
///   mark, or if decoding stopped at damage.
/// - "audio.notFinite": NaN and infinite samples are set to 0 and counted.
/// - "audio.antiphase": the channels cancel (the mean is silence, the channels are not), so the first channel
///   that is not silent is used.
///
/// Not detected: a cut MP3 file of constant bit rate, and a FLAC file with more audio than its header says.
///
/// Reads and resamples in blocks; memory is that of the result. Blocks, so call it off the window's thread.
/// Safe from several threads at once.
Recording loadRecording(const std::filesystem::path& file);

/// Writes 16-bit PCM WAV atomically (temporary file, then rename). Samples beyond ±1 are clipped. Throws
/// Error "audio.unwritable".
void saveWav(const std::filesystem::path& file, std::span<const float> samples, SampleRate rate);

/// Resamples mono float samples (soxr, very high quality). The result has round(n · to / from) samples.
std::vector<float> resample(std::span<const float> samples, SampleRate from, SampleRate to);

} // namespace headroom
