// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audio/audio_name.h"
#include "core/matrix/matrix.h"

#include <cstdint>

namespace headroom {

/// Features that another program computed and stored, as fairseq's S2T tables name them: a NumPy array [frame, feature]
/// in a zip archive, "fbank80.zip:131:76928" (first byte, bytes; stored, not compressed), or a file of its own,
/// "talk.npy". fairseq stores the 80 mel bins of kaldi-compatible filterbanks before CMVN. Numbers are half, single or
/// double precision.

struct ArchivedShape {
    std::int64_t frames = 0, features = 0;
};

/// Reads the header of the array alone. Throws Error "features.archive", which names file and bytes, says what lies there
/// and what to do. `name.holdsFeatures()` is true.
ArchivedShape archivedShape(const AudioName& name);

/// Reads the array: [frame, feature], before CMVN. Throws the same, also for numbers that are not finite. Thread-safe.
Matrix<float> readArchivedFeatures(const AudioName& name);

} // namespace headroom
