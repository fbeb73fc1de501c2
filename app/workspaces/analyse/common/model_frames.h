// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/open_model.h"
#include "app/documents/items/open_utterance.h"
#include "core/features/recording_length.h"

#include <optional>

namespace headroom::app {

/// The frames of a recording as the model reads them, without those that stand for the silence after a recording; without a model those of the
/// spectrogram. Nothing for a text, before the recording is read, and for a model that reads samples or text.
inline std::optional<RecordingFrames> modelFrames(const OpenUtterance* utterance, const Architecture::FrontEnd* frontEnd) {
    if (!utterance || utterance->isText)
        return std::nullopt;
    if (!frontEnd)
        return utterance->logMel && utterance->logMel->rows() > 0
                   ? std::optional(RecordingFrames{FrameClock(), Frames(std::int64_t(utterance->logMel->rows()))})
                   : std::nullopt;
    if (!utterance->recording || frontEnd->reads == InputKind::Waveform || frontEnd->reads == InputKind::Text)
        return std::nullopt;
    const RecordingFrames frames =
        recordingFrames(frontEnd->input(), Samples(std::int64_t(utterance->recording->samples.size())));
    return frames.count.value() > 0 ? std::optional(frames) : std::nullopt;
}

/// Of imported maps nothing is known.
inline const Architecture::FrontEnd* frontEndOf(const OpenModel* model) {
    return model && model->info && !model->maps ? &model->info->architecture.frontEnd : nullptr;
}

} // namespace headroom::app
