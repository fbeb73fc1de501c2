// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/study_work.h"

namespace headroom::training {

/// What a measurement depends on besides the program. Equal keys give equal numbers, bit for bit.
struct MeasurementKey {
    std::string weights;     ///< hash of the model's weights, or of a file of maps
    std::string frontEnd;    ///< LayerSource::frontEnd(): it is not part of the weights
    std::string audio;       ///< hash of the recording
    std::string alignment;   ///< hash of the alignment; empty if the kind needs none
    std::string measurement; ///< StudyWork::measurementKey()
    std::string hash(const std::string& program) const;
};

/// Measurements on disk, one .npz each, `FOLDER/ab/cdef….npz`, written atomically. Safe from several threads
/// and processes: a second writer writes the same bytes.
class MeasurementCache {
public:
    /// Returns the default folder of measurements: $XDG_CACHE_HOME/headroom/measurements.
    static std::filesystem::path userFolder();
    /// `program`: the version of what measures. What another version has stored is not found: it may have computed otherwise.
    MeasurementCache(std::filesystem::path folder, std::string program);

    /// Returns `nullopt` if there is none. `problem` receives a message if the file cannot be used.
    std::optional<Measurement> find(const MeasurementKey& key, std::string& problem) const;
    /// Throws Error "study.cacheUnwritable".
    void store(const MeasurementKey& key, const Measurement& measurement) const;
    /// Removes the least recently used files until at most `bytes` are left. Files removed by another process
    /// meanwhile are ignored.
    void trim(std::uint64_t bytes) const;

private:
    std::filesystem::path fileOf(const MeasurementKey& key) const;
    std::filesystem::path m_folder;
    std::string m_program;
};

/// Limit at the end of a study: some hundred thousand utterances.
inline constexpr std::uint64_t kCacheBytes = 4'000'000'000;

} // namespace headroom::training
