// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/features/model_input.h"

namespace headroom {

/// Returns the rows that a recording of `samples` at 16 kHz has itself: without those behind it (ModelInput::rowsBehind).
std::int64_t ownRows(const ModelInput& input, Samples samples);

/// Returns the longest recording at 16 kHz that has at most so many rows itself; 0 for less than one. Of Whisper's 3,000
/// frames these are 30.00 s, not the 30.015 s that their windows reach over.
Samples longestRecording(const ModelInput& input, std::int64_t rows);

/// The frames in each row of what a model reads: several where Kaldi frames stand side by side, otherwise the row itself.
std::int64_t framesInRow(const ModelInput& input);

/// The frames of a recording and where they lie. Of rows of several frames these are the frames, not the rows.
struct RecordingFrames {
    FrameClock clock;
    Frames count{0};
};
/// Of a recording of `samples` at 16 kHz, without those behind it.
RecordingFrames recordingFrames(const ModelInput& input, Samples samples);
/// How many of them are in its `features` (modelFeatures): what fills the last row is none.
Frames framesIn(const ModelInput& input, MatrixView<const float> features);

} // namespace headroom
