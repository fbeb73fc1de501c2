// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/features/kernels.h"
#include "core/matrix/matrix.h"
#include "core/time/clocks.h"

#include <algorithm>
#include <span>
#include <vector>

namespace headroom::lanes {

/// Calls kernel(rows, output) for each block of eight frames. The last block repeats its last frame in the
/// unused lanes. `samples` has at least one frame. Internal to core/features.
template <class Kernel>
Matrix<float> frameByFrame(std::span<const float> samples, int columns, Kernel&& kernel) {
    const std::int64_t frames =
        FrameClock().frameCount(Samples(static_cast<std::int64_t>(samples.size())), kModelSampleRate).value();
    Matrix<float> result(static_cast<std::size_t>(frames), static_cast<std::size_t>(columns));
    std::vector<float> unused(static_cast<std::size_t>(columns));
    for (std::int64_t first = 0; first < frames; first += kLanes) {
        const float* rows[kLanes];
        float* output[kLanes];
        for (int lane = 0; lane < kLanes; ++lane) {
            const std::int64_t frame = std::min(first + lane, frames - 1);
            rows[lane] = samples.data() + frame * kHop;
            output[lane] =
                first + lane < frames ? result.row(static_cast<std::size_t>(frame)).data() : unused.data();
        }
        kernel(rows, output);
    }
    return result;
}

} // namespace headroom::lanes
