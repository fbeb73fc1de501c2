// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/model_input.h"

#include "core/errors/error.h"
#include "core/features/conformer_features.h"
#include "core/features/features.h"
#include "core/features/kaldi_pitch.h"
#include "core/features/whisper_log_mel.h"

#include <algorithm>
#include <cmath>

namespace headroom {

namespace {

/// The samples as one column. Mean and variance in double: of a minute of speech, float would lose digits.
Matrix<float> waveform(std::span<const float> samples, bool normalised) {
    if (samples.empty())
        throw Error("features.tooShort", "The recording has no samples.", {{"samples", 0}, {"needed", 1}});
    Matrix<float> column(samples.size(), 1, std::vector<float>(samples.begin(), samples.end()));
    if (!normalised)
        return column;
    const auto count = static_cast<double>(samples.size());
    double sum = 0, squares = 0;
    for (const float sample : samples)
        sum += static_cast<double>(sample);
    const double mean = sum / count;
    for (const float sample : samples)
        squares += (static_cast<double>(sample) - mean) * (static_cast<double>(sample) - mean);
    constexpr double kFloor = 1e-7;
    const double scale = 1 / std::sqrt(squares / count + kFloor);
    for (float& value : column.values())
        value = static_cast<float>((static_cast<double>(value) - mean) * scale);
    return column;
}

/// The first rows of the window. Where a recording fills it, the rows behind repeat the last; the model does not
/// read them.
Matrix<float> ownWhisperFrames(std::span<const float> samples, const ModelInput& input) {
    const Matrix<float> window = whisperLogMel(samples, input.features);
    const auto count = Samples(static_cast<std::int64_t>(samples.size()));
    Matrix<float> rows(static_cast<std::size_t>(input.frameCount(count).value()), window.columns());
    for (std::size_t row = 0; row < rows.rows(); ++row)
        std::ranges::copy(window.row(std::min(row, window.rows() - 1)), rows.row(row).begin());
    return rows;
}

} // namespace

FrameClock ModelInput::clock() const {
    const auto seconds = [](std::int64_t samples) { return kModelSampleRate.duration(Samples(samples)); };
    switch (kind) {
    case InputKind::Waveform:
        return FrameClock(seconds(1), seconds(1));
    case InputKind::StackedKaldiLogMel:
        return FrameClock(seconds(160 * std::int64_t(stacked)),
                          seconds(400 + 160 * std::int64_t(stacked - 1)));
    case InputKind::NemoLogMel:
        return FrameClock(seconds(160), seconds(400), seconds(-200));
    case InputKind::EspnetLogMel:
        return FrameClock(seconds(frames.hop), seconds(frames.window), seconds(frames.window) * -0.5);
    case InputKind::WhisperLogMel: // centred on every 160th sample
        return FrameClock(Seconds(0.010), Seconds(0.025), Seconds(-0.0125));
    case InputKind::Text:
        return FrameClock(Seconds(1), Seconds(0));
    case InputKind::AstLogMel:
    case InputKind::KaldiLogMel:
        break;
    }
    return FrameClock();
}

std::optional<std::int64_t> ModelInput::window() const {
    if (kind == InputKind::AstLogMel)
        return windowFrames;
    return kind == InputKind::WhisperLogMel ? std::optional(kWhisperFrames) : std::nullopt;
}

Frames ModelInput::frameCount(Samples samples) const {
    switch (kind) {
    case InputKind::Waveform:
        return Frames(samples.value());
    case InputKind::NemoLogMel:
        return Frames(1 + samples.value() / 160);
    case InputKind::EspnetLogMel:
        return Frames(1 + samples.value() / frames.hop);
    case InputKind::WhisperLogMel:
        return Frames(whisperFrames(samples.value()) + rowsBehind());
    case InputKind::AstLogMel:
        return FrameClock().frameCount(samples, kModelSampleRate) + Frames(rowsBehind());
    case InputKind::Text: // no recording has tokens of a text; counted as frames of 10 ms
    case InputKind::KaldiLogMel:
    case InputKind::StackedKaldiLogMel:
        break;
    }
    const Frames kaldi = FrameClock().frameCount(samples, kModelSampleRate);
    return kind == InputKind::StackedKaldiLogMel ? Frames((kaldi.value() + stacked - 1) / stacked) : kaldi;
}

std::int64_t ModelInput::validRows(MatrixView<const float> values) const {
    const auto rows = static_cast<std::int64_t>(values.rows());
    if (rows == 0)
        return rows;
    if (kind == InputKind::NemoLogMel)
        return rows - 1;
    if (kind != InputKind::StackedKaldiLogMel)
        return rows;
    const auto last = values.row(values.rows() - 1);
    const auto frame = last.last(last.size() / static_cast<std::size_t>(stacked));
    const auto filled = [this](float value) { return value == static_cast<float>(paddingValue); };
    return std::all_of(frame.begin(), frame.end(), filled) ? rows - 1 : rows;
}

Matrix<float> modelFeatures(std::span<const float> samples, const ModelInput& input) {
    switch (input.kind) {
    case InputKind::Waveform:
        return waveform(samples, input.normalised);
    case InputKind::StackedKaldiLogMel:
        return stackedKaldiFeatures(samples,
                                    {input.features / input.stacked, input.stacked, input.paddingValue})
            .values;
    case InputKind::NemoLogMel:
        return parakeetFeatures(samples, {input.features, input.preEmphasis}).values;
    case InputKind::EspnetLogMel: {
        const EspnetCmvn own = input.normalised ? EspnetCmvn::MeanAndVariance : EspnetCmvn::Mean;
        Matrix<float> features =
            espnetFeatures(samples, {input.features, input.frames, input.cmvn ? EspnetCmvn::None : own});
        if (input.cmvn)
            applyGlobalCmvn(features, *input.cmvn);
        return features;
    }
    case InputKind::WhisperLogMel:
        return ownWhisperFrames(samples, input);
    case InputKind::AstLogMel: {
        Matrix<float> features = astFeatures(samples, {input.features, input.windowFrames});
        if (input.cmvn)
            applyGlobalCmvn(features, *input.cmvn);
        return features;
    }
    case InputKind::Text:
        throw Error("features.text", "This model reads text, not recordings. headroom-worker translate takes text files.");
    case InputKind::KaldiLogMel:
        break;
    }
    LogMelFilterbank filterbank;
    return normalisedKaldiFeatures(filterbank, samples, input);
}

Matrix<float> normalisedKaldiFeatures(LogMelFilterbank& filterbank, std::span<const float> samples,
                                      const ModelInput& input) {
    Matrix<float> features = kaldiFeatures(filterbank, samples, input.features);
    if (input.cmvn)
        applyGlobalCmvn(features, *input.cmvn);
    else
        applyUtteranceCmvn(features);
    return features;
}

namespace {

constexpr float kEndOfText = 2; // </s> of every decoder's vocabulary

} // namespace

Matrix<float> textFeatures(std::span<const int> ids) {
    std::vector<float> rows(ids.begin(), ids.end());
    rows.push_back(kEndOfText);
    const std::size_t count = rows.size();
    return {count, 1, std::move(rows)};
}

Matrix<float> languageFeatures(std::span<const int> ids) {
    std::vector<float> rows{kEndOfText};
    rows.insert(rows.end(), ids.begin(), ids.end());
    const std::size_t count = rows.size();
    return {count, 1, std::move(rows)};
}

} // namespace headroom
