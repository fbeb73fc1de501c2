// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/checkpoint.h"
#include "training/decoding/long_recording.h"
#include "training/loop/validation.h"

#include <vector>

namespace headroom::training {

/// Takes the recordings that are longer than a window out of `set`. Both keep corpus order.
std::vector<Example> takeLongRecordings(ExampleSet& set, const WindowSettings& windows);

/// A part of a recording that was decoded by itself.
struct DecodedWindow {
    Seconds start, end;
    std::vector<TextHypothesis> best; ///< of a search, best first; otherwise empty
};

/// The text of a long recording: stitched from the best text of each window. The second best texts of windows make no second best
/// recording, because each combination of them would be one; a list belongs to its window.
struct LongText {
    std::string text;
    std::vector<DecodedWindow> windows;
};

/// Decodes each recording in overlapping windows, all of one at a time, and stitches the texts. `options` as
/// for validate(), but `progress` and `stop` count before every few windows, because a recording may have hours. Throws Stopped, and Error,
/// which names the utterance: the errors of loading and of the features.
std::vector<LongText> decodeLongRecordings(const models::Checkpoint& model, const std::vector<Example>& recordings,
                                           const WindowSettings& windows, const Tokenizer& tokenizer,
                                           const ValidationOptions& options);

} // namespace headroom::training
