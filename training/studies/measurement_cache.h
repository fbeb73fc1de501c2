// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/study_work.h"

namespace headroom::training {

/// What a measurement follows from. Two that are equal give the same numbers, bit for bit.
struct MeasurementKey {
    std::string weights;     ///< hash of the model's weights, or of a file of maps
    std::string frontEnd;    ///< LayerSource::frontEnd(): it is not part of the weights
    std::string audio;       ///< hash of the recording
    std::string alignment;   ///< hash of the alignment; empty where the kind needs none
    std::string measurement; ///< StudyWork::measurementKey()
    std::string hash() const;
};

/// Measurements on the disk, one .npz each, `FOLDER/ab/cdef….npz`; a file appears whole or not at all. Safe
/// from several threads and processes: who comes second writes the same bytes.
class MeasurementCache {
public:
    /// Where measurements are kept unless somebody says otherwise: $XDG_CACHE_HOME/headroom/measurements.
    static std::filesystem::path userFolder();
    explicit MeasurementCache(std::filesystem::path folder);

    /// Nothing where there is none. `problem` gets a sentence where there is a file that cannot be used.
    std::optional<Measurement> find(const MeasurementKey& key, std::string& problem) const;
    /// Throws Error "study.cacheUnwritable".
    void store(const MeasurementKey& key, const Measurement& measurement) const;
    /// Removes what was not used for the longest time until at most `bytes` are left. What another process
    /// takes away meanwhile is nobody's mistake.
    void trim(std::uint64_t bytes) const;

private:
    std::filesystem::path fileOf(const MeasurementKey& key) const;
    std::filesystem::path m_folder;
};

/// What is kept when a study ends: some hundred thousand utterances.
inline constexpr std::uint64_t kCacheBytes = 4'000'000'000;

} // namespace headroom::training
