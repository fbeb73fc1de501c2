// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/studies/input.h"

#include "core/alignment/validator.h"
#include "core/audio/audio_file.h"
#include "core/errors/display_name.h"
#include "core/features/features.h"

#include <algorithm>
#include <cmath>

namespace headroom::training {

namespace {

/// Below this a recording is not quiet but empty: a 16-bit file has three levels there.
constexpr float kSilence = 1e-4F; // −80 dBFS

void refuseSilence(const Recording& recording, const StudyUtterance& utterance) {
    float peak = 0;
    for (const float sample : recording.samples)
        peak = std::max(peak, std::abs(sample));
    if (peak < kSilence)
        throw Error("study.silent",
                    displayName(utterance.audio) + " holds only silence: nothing in it is above −80 dB.",
                    {{"peak", peak}});
}

Alignment alignmentOf(const StudyUtterance& utterance, Seconds duration, const PhoneMap& phones) {
    auto checked = readCheckedAlignment(utterance.alignment, utterance.id, duration, phones);
    if (!checked.alignment || !checked.report.usable())
        throw Error("study.alignment",
                    "The alignment of " + displayName(utterance.audio) + ": " + checked.report.reason());
    return std::move(*checked.alignment);
}

} // namespace

std::string sentenceAbout(const StudyUtterance& utterance, const Error& error) {
    const std::string sentence = error.what();
    const auto name = displayName(utterance.audio);
    return sentence.find(name) != std::string::npos ? sentence : name + ": " + sentence;
}

StudyInput loadInput(int index, const StudyUtterance& utterance, AlignmentUse use, LayerSource& source,
                     const PhoneMap& phones, double& seconds) {
    StudyInput input;
    input.utterance = index;
    input.document = &utterance;
    if (source.hears()) {
        const Recording recording = loadRecording(utterance.audio);
        seconds = recording.duration().value();
        refuseSilence(recording, utterance);
        input.features = LogMelFilterbank().compute(recording.samples);
        applyUtteranceCmvn(input.features);
    } else {
        seconds = source.seconds(utterance);
    }
    if (use != AlignmentUse::None && !utterance.alignment.empty())
        input.alignment = alignmentOf(utterance, Seconds(seconds), phones);
    else if (use == AlignmentUse::Required)
        throw Error("study.alignment", displayName(utterance.audio) + " has no alignment beside it.");
    return input;
}

} // namespace headroom::training
