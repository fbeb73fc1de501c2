// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/clocks.h"

#include <cstdint>
#include <string>
#include <vector>

namespace headroom::training {

/// Overlapping windows over a long recording, so that a model hears no more than it was trained on at a time.
struct WindowSettings {
    double window = 0;  ///< seconds; 0: the recording as a whole
    double overlap = 0; ///< seconds, less than the window

    bool cuts() const { return window > 0; }
};

/// The samples [start, start + count) of a window.
struct WindowSpan {
    std::int64_t start = 0, count = 0;
    bool operator==(const WindowSpan&) const = default;
};

/// Returns the windows of a recording of `samples` at `rate`, in order: each begins `window − overlap` after
/// the one before, and the last ends with the recording. One span if the recording is not longer than a
/// window.
std::vector<WindowSpan> windowSpans(Samples samples, SampleRate rate, const WindowSettings& settings);

/// Joins the texts of overlapping windows. At each seam the words that may lie in the overlap (twice its
/// share of either text, and three more) are aligned, the end of one text with the beginning of the next;
/// case and ASCII punctuation do not count. The texts are cut in the middle of the words that both have in
/// common, since a window knows least about its edges. Without a common word both texts are kept whole.
/// `share`: overlap / window, 0 … 1. Pure.
std::string stitchTexts(const std::vector<std::string>& texts, double share);

} // namespace headroom::training
