// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/features/global_cmvn.h"

#include <cstdint>
#include <filesystem>

namespace headroom {

/// Kaldi's CMVN statistics, as compute-cmvn-stats writes them.
struct KaldiCmvn {
    GlobalCmvn cmvn;
    std::int64_t frames = 0;
};

/// Reads a file of statistics: one matrix [2, bins + 1] (sums and the number of frames; sums of squares), or
/// an archive with one for each speaker or utterance, which are added up. Binary (float or double) or text.
/// Throws Error "cmvn.unreadable", which names the file and what is wrong, for anything else, and for no
/// frames. Thread-safe.
KaldiCmvn readKaldiCmvn(const std::filesystem::path& file);

} // namespace headroom
