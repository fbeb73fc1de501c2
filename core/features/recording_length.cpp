// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/recording_length.h"

#include <algorithm>

namespace headroom {

std::int64_t ownRows(const ModelInput& input, Samples samples) {
    return input.frameCount(samples).value() - input.rowsBehind();
}

std::int64_t framesInRow(const ModelInput& input) {
    return input.kind == InputKind::StackedKaldiLogMel ? input.stacked : 1;
}

RecordingFrames recordingFrames(const ModelInput& input, Samples samples) {
    if (input.kind == InputKind::StackedKaldiLogMel)
        return {FrameClock(), FrameClock().frameCount(samples, kModelSampleRate)};
    return {input.clock(), Frames(ownRows(input, samples))};
}

Frames framesIn(const ModelInput& input, MatrixView<const float> features) {
    std::int64_t count = static_cast<std::int64_t>(features.rows()) * framesInRow(input) - input.rowsBehind();
    if (input.kind != InputKind::StackedKaldiLogMel || features.rows() == 0)
        return Frames(count);
    const auto row = features.row(features.rows() - 1);
    const std::size_t bins = row.size() / static_cast<std::size_t>(input.stacked);
    const auto fills = [&](float value) { return value == static_cast<float>(input.paddingValue); };
    for (std::size_t end = row.size(); end > bins; end -= bins, --count) // a row begins with a frame
        if (const auto frame = row.subspan(end - bins, bins); !std::all_of(frame.begin(), frame.end(), fills))
            break;
    return Frames(count);
}

Samples longestRecording(const ModelInput& input, std::int64_t rows) {
    if (rows < 1)
        return Samples(0);
    std::int64_t fits = 0, tooLong = 1024; // each kind has its own rule; all give no fewer rows to more samples
    while (ownRows(input, Samples(tooLong)) <= rows)
        tooLong *= 2;
    while (tooLong - fits > 1) {
        const std::int64_t middle = fits + (tooLong - fits) / 2;
        (ownRows(input, Samples(middle)) <= rows ? fits : tooLong) = middle;
    }
    return Samples(fits);
}

} // namespace headroom
