// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/features/global_cmvn.h"
#include "core/matrix/matrix.h"
#include "core/time/clocks.h"

#include <cstdint>
#include <optional>
#include <span>

namespace headroom {

/// How the input of a model is computed from a recording. Its words: core/architecture/choices.h.
enum class InputKind {
    KaldiLogMel,        ///< 80 Kaldi mel bins after CMVN, of the utterance (S2T) or global: LogMelFilterbank
    Waveform,           ///< the samples themselves; a row is a sample
    StackedKaldiLogMel, ///< Kaldi frames side by side, normalised (wav2vec2-BERT): stackedKaldiFeatures
    NemoLogMel,         ///< Slaney mel bins, normalised (Parakeet): parakeetFeatures
    WhisperLogMel, ///< Whisper's log-mel of 30 s: the recording's own frames and kWhisperFramesBehind more
    EspnetLogMel,  ///< Slaney mel bins of centred frames, after CMVN (ESPnet): espnetFeatures
    AstLogMel,     ///< Kaldi mel bins of a fixed window (AST): the recording's own frames and kAstFramesBehind more
    Text           ///< the ids of a text's tokens, one a row, the final </s> too: textFeatures
};

/// Rows behind a recording's own frames. The first of them still read its end; the last is silence, as are all
/// that follow up to the end of the window.
inline constexpr std::int64_t kWhisperFramesBehind = 3;

/// The row that fills the window of an AST up to its end.
inline constexpr std::int64_t kAstFramesBehind = 1;

/// How ESPnet cuts a recording: frame f is a window of `window` samples around sample hop · f, in the middle of
/// `transform` samples.
struct EspnetFrames {
    int transform = 512, window = 400, hop = 160;
    bool operator==(const EspnetFrames&) const = default;
};

/// What a model reads: a matrix of `features` columns whose rows are feature frames, or samples for a
/// waveform. A value; every caller that feeds a model takes it from the model's front end
/// (`Architecture::FrontEnd::input()`).
struct ModelInput {
    InputKind kind = InputKind::KaldiLogMel;
    int features = 80;
    /// Waveform: (x − mean) / √(variance + 1e-7) over the recording, population variance; otherwise as it is.
    /// EspnetLogMel without global CMVN: each bin is divided by its deviation, too.
    bool normalised = true;
    /// StackedKaldiLogMel: frames in a row, and what fills the last row. A row is masked if its last frame is
    /// filled.
    int stacked = 2;
    double paddingValue = 1;
    double preEmphasis = 0.97; ///< NemoLogMel
    /// KaldiLogMel, EspnetLogMel: global CMVN instead of that of the utterance. AstLogMel: instead of none.
    std::optional<GlobalCmvn> cmvn{};
    EspnetFrames frames{};  ///< EspnetLogMel
    int windowFrames = 0;   ///< AstLogMel: frames of the window

    /// Places the rows on the time axis. A sample n occupies [n, n + 1) / 16,000 s. A text has no time: token t is
    /// placed at t “seconds”, so that times are positions.
    FrameClock clock() const;
    /// Returns the rows of a recording of `samples` at 16 kHz.
    Frames frameCount(Samples samples) const;
    /// Returns how many rows of the features of a recording are not masked: all but the last one of
    /// NemoLogMel, and of StackedKaldiLogMel if it is filled. The model reads a masked row, but no attention
    /// looks at it.
    std::int64_t validRows(MatrixView<const float> features) const;
    /// Returns how many of the rows lie behind the recording: 0, kWhisperFramesBehind or kAstFramesBehind.
    std::int64_t rowsBehind() const {
        return kind == InputKind::WhisperLogMel ? kWhisperFramesBehind : kind == InputKind::AstLogMel ? kAstFramesBehind : 0;
    }
    /// The frames that are always computed, however short a recording is: 3,000 of Whisper's 30 s, `windowFrames` of an
    /// AST.
    std::optional<std::int64_t> window() const;
    bool operator==(const ModelInput&) const = default;
};

/// Computes what a model reads from `samples` at 16 kHz in [−1, 1]: [frames, input.features]. Throws Error
/// "features.tooShort" if there is not one valid frame, with the number of samples, "features.tooLong" for more
/// than the window of the model, and "features.text" for a model that reads text. Thread-safe.
Matrix<float> modelFeatures(std::span<const float> samples, const ModelInput& input);

/// Returns what a text model reads: `ids`, the tokens of the source, and the final </s>, as one column. Ids are exact
/// in float up to 16 million.
Matrix<float> textFeatures(std::span<const int> ids);

/// What a language model reads: </s>, which starts every text, and `ids`. Each row predicts the next one.
Matrix<float> languageFeatures(std::span<const int> ids);

} // namespace headroom
