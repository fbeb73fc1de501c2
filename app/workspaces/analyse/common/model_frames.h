// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/documents/items/analysis.h"
#include "app/documents/items/open_model.h"
#include "app/documents/items/open_utterance.h"
#include "core/features/recording_length.h"

#include <optional>

namespace headroom::app {

/// The part that frames and tokens are counted in; nothing: the whole recording. `utterance`, `result`: may be null.
inline std::optional<Part> countedPart(const OpenUtterance* utterance, const AnalysisResult* result) {
    if (result && result->tokens.value() > 0)
        return result->covered();
    return utterance ? utterance->part : std::nullopt;
}

/// The frames of a recording, or of a part of it, as the model reads them, without those that stand for the silence after it; without a
/// model those of the spectrogram. Their clock is in the recording's time. Nothing for a text, before the recording is read, and for a
/// model that reads samples or text.
inline std::optional<RecordingFrames> modelFrames(const OpenUtterance* utterance, const Architecture::FrontEnd* frontEnd,
                                                  const std::optional<Part>& part = {}) {
    if (!utterance || utterance->isText)
        return std::nullopt;
    if (!frontEnd && !part)
        return utterance->logMel && utterance->logMel->rows() > 0
                   ? std::optional(RecordingFrames{FrameClock(), Frames(std::int64_t(utterance->logMel->rows()))})
                   : std::nullopt;
    if (!utterance->recording || (frontEnd && (frontEnd->reads == InputKind::Waveform || frontEnd->reads == InputKind::Text)))
        return std::nullopt;
    const PartSamples heard = partSamples(*utterance->recording, part);
    const Samples samples(heard.end - heard.first);
    RecordingFrames frames = frontEnd ? recordingFrames(frontEnd->input(), samples)
                                      : RecordingFrames{FrameClock(), FrameClock().frameCount(samples, kModelSampleRate)};
    frames.clock = FrameClock(frames.clock.step(), frames.clock.length(),
                              frames.clock.first() + kModelSampleRate.duration(Samples(heard.first)));
    return frames.count.value() > 0 ? std::optional(frames) : std::nullopt;
}

/// Of imported maps nothing is known.
inline const Architecture::FrontEnd* frontEndOf(const OpenModel* model) {
    return model && model->info && !model->maps ? &model->info->architecture.frontEnd : nullptr;
}

} // namespace headroom::app
