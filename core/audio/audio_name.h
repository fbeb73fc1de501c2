// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

namespace headroom {

/// Part of an audio file: the samples [start, start + count) of every channel, counted at the file's own
/// rate.
struct AudioPart {
    std::int64_t start = 0, count = 0;
    bool operator==(const AudioPart&) const = default;
};

/// A recording as tables name it: a file, or a part of one, "talk.wav:160000:32000" (file, start, count).
/// Wherever loadRecording takes a path, it takes such a name. It then returns exactly what it would return
/// for a file with these samples alone; of MP3, Ogg and other lossy files everything before the part is
/// decoded too. It throws "audio.part" for a part that is not inside its file.
struct AudioName {
    std::filesystem::path file;
    std::optional<AudioPart> part; ///< `nullopt`: the whole file

    /// Returns the name as one path, the inverse of audioName().
    std::filesystem::path path() const;
    bool operator==(const AudioName&) const = default;
};

/// Splits the name of a recording. A file that has the whole name itself, colons and all, is meant as a file.
/// Looks at the disk only for a name that ends like a part. Thread-safe.
AudioName audioName(const std::filesystem::path& named);

} // namespace headroom
