// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/audio_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace headroom {

/// Length and format of an audio file.
struct SoundFacts {
    SampleRate rate{kModelSampleRate};
    int channels = 1;
    std::int64_t samples = 0;         ///< of one channel, at `rate`
    std::string format;               ///< "FLAC, 16-bit PCM"
    std::optional<Warning> truncated; ///< "audio.truncated"; `samples` is then what the file still has
};

/// Reads the header of a file, and its last sample to see that it is whole. A file whose header does not say
/// how long it is (MP3, some Ogg files), or that was cut short, is decoded to its end. Throws the errors of
/// loadRecording except "audio.tooLong". Blocks; safe from several threads at once.
SoundFacts readSoundFacts(const std::filesystem::path& file);

/// The same without decoding: of a lossy file (MP3, Ogg, Opus) `samples` is 0, and only a missing end mark says that it is
/// truncated.
SoundFacts readSoundHeader(const std::filesystem::path& file);

} // namespace headroom
