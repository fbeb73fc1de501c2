// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace headroom {

/// Part of an audio file: the samples [start, start + count) of every channel, counted at the file's own
/// rate.
struct AudioPart {
    std::int64_t start = 0, count = 0;
    bool operator==(const AudioPart&) const = default;
};

/// A recording as tables name it: a file, a part of one, "talk.wav:160000:32000" (file, start, count), or
/// either at another speed, "talk.wav:sp0.9". Wherever loadRecording takes a path, it takes such a name. It
/// then returns exactly what it would return for a file with these samples alone; of MP3, Ogg and other lossy
/// files everything before the part is decoded too. It throws "audio.part" for a part that is not inside its
/// file.
///
/// At speed v the samples are taken to be of rate · v and resampled, so that the recording is 1/v times as
/// long and its pitch is v times as high (Ko et al. 2015; `speed` of SoX).
struct AudioName {
    std::filesystem::path file;
    std::optional<AudioPart> part; ///< `nullopt`: the whole file
    double speed = 1;              ///< kLowestSpeed … kHighestSpeed

    bool isWhole() const { return !part && speed == 1; }
    /// Whether the name is that of features and not of sound: an array in an archive of fairseq, "fbank80.zip:131:76928" (first
    /// byte, bytes), or "talk.npy". See core/corpus/feature_archive.h; loadRecording refuses it.
    bool holdsFeatures() const;
    /// Returns what follows the name of the file: ":160000:32000:sp0.9".
    std::string suffix() const;
    /// Returns the name as one path, the inverse of audioName().
    std::filesystem::path path() const;
    bool operator==(const AudioName&) const = default;
};

inline constexpr double kLowestSpeed = 0.5, kHighestSpeed = 2;

/// Returns the rate that samples of `hertz` are taken to have at a speed, rounded to whole Hz.
int rateAtSpeed(int hertz, double speed);

/// What a name ends with besides the file, and where the name of the file ends.
struct AudioSuffix {
    std::optional<AudioPart> part;
    double speed = 1;
    std::size_t end = 0;
};
/// Returns `nullopt` if a name ends neither with a part nor with a speed. Asks no disk.
std::optional<AudioSuffix> audioSuffix(std::string_view name);

/// Splits the name of a recording. A file that has the whole name itself, colons and all, is meant as a file.
/// Looks at the disk only for a name that ends like a part or a speed. Thread-safe.
AudioName audioName(const std::filesystem::path& named);

} // namespace headroom
