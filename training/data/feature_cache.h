// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "training/data/examples.h"

#include <memory>
#include <mutex>
#include <unordered_map>

namespace headroom::training {

/// Features after utterance CMVN, [frames, 80], computed once and kept in memory as long as there is room.
/// Safe from every thread.
class FeatureCache {
public:
    explicit FeatureCache(std::int64_t megabytes) : m_room(megabytes * 1'000'000) {}

    /// Throws Error naming the utterance: what loadRecording and the filterbank throw, and "data.frames"
    /// where the corpus promised another length (two frames of rounding are nobody's mistake).
    std::shared_ptr<const Matrix<float>> features(const Example& example);

private:
    std::mutex m_mutex;
    std::int64_t m_room;
    std::unordered_map<std::string, std::shared_ptr<const Matrix<float>>> m_kept; ///< by path
};

} // namespace headroom::training
