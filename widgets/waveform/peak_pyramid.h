// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"

#include <memory>
#include <span>
#include <vector>

namespace headroom::widgets {

/// Minimum, maximum and mean square over any range without reading all samples, for drawing a waveform at any
/// zoom.
///
/// Level 0 has blocks of 64 samples, each further level blocks of four times as many. Results are exact
/// (edges are read from the samples). Keeps the samples alive and needs a twelfth of their memory in
/// addition. Immutable; safe on every thread, so that long recordings can be prepared off the window's
/// thread.
class PeakPyramid {
public:
    struct Peak {
        float low = 0, high = 0; ///< 0 for an empty range
        double meanSquare = 0;
    };

    PeakPyramid() = default;
    /// `samples` may be null. Values that are not finite count as 0.
    explicit PeakPyramid(std::shared_ptr<const std::vector<float>> samples);

    std::span<const float> samples() const;
    Samples count() const { return Samples(static_cast<std::int64_t>(samples().size())); }
    /// Returns the peak over samples [begin, end), clipped to the recording.
    Peak over(Samples begin, Samples end) const;

private:
    struct Block {
        float low, high;
        double sumOfSquares;
    };
    std::shared_ptr<const std::vector<float>> m_samples;
    std::vector<std::vector<Block>> m_levels;
};

} // namespace headroom::widgets
