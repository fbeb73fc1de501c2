// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/features/features.h"
#include "core/matrix/matrix.h"

#include <span>
#include <vector>

namespace headroom {

struct ModelInput;

/// Columns of kaldiPitch(): beside 80 mel bins they make the 83 features of Kaldi's and Espresso's recipes.
inline constexpr int kPitchFeatures = 3;

/// What a pitch tracker says about one frame.
struct TrackedPitch {
    float correlation =
        0;           ///< normalised cross-correlation at the chosen lag, about −1 … 1: high where voiced
    float hertz = 0; ///< 50 … 400, also where nothing is voiced
};

/// Tracks the pitch of `samples` at 16 kHz, as Kaldi's compute-kaldi-pitch-feats with its defaults
/// (Ghahremani et al., ICASSP 2014). The scale of the samples does not matter.
///
/// Signal at 4 kHz (Hann-windowed sinc, cutoff 1 kHz); for every 25 ms frame each 10 ms the normalised
/// cross-correlation x(i, lag) = ⟨a, b⟩ / √(|a|² |b|² + ballast), ballast = 7000 (100 · mean square)² for
/// tracking and 0 for the column of the result; both interpolated at 417 lags from 1/400 s to 1/50 s with the
/// ratio 1.005. Viterbi over the lags: local cost 1 − x (1 − 10 Hz · lag), transitions 0.1 (log 1.005)² (i −
/// j)².
///
/// Returns one value for a frame: 1 + (⌈samples / 4⌉ − 100) / 40 frames, as many as FrameClock counts or one
/// more; none below 397 samples. Thread-safe.
std::vector<TrackedPitch> trackPitch(std::span<const float> samples);

/// Computes the three features of each frame as Kaldi's process-kaldi-pitch-feats with its defaults, but
/// without the noise that it adds to the third (--delta-pitch-noise-stddev=0): 2 ((1.0001 − correlation)^0.15
/// − 1); 2 (log pitch − its mean over 151 frames, weighted by the probability of voicing); 10 Σ_{k=−2…2} k
/// log pitch(t + k) / 10, edges repeated. Returns [frames, 3]. Thread-safe.
Matrix<float> pitchFeatures(std::span<const TrackedPitch> frames);

/// Computes the features of Kaldi's recipes before CMVN: [frames, 80] of mel bins, or [frames, 83] with the pitch of the
/// same samples behind them. Where the tracker has one frame more, it is left out, as Kaldi's paste-feats does. Throws
/// Error "features.columns" for any other number of columns, and "features.tooShort". As thread-safe as `filterbank`.
Matrix<float> kaldiFeatures(LogMelFilterbank& filterbank, std::span<const float> samples, int columns);

/// The same after CMVN: of the utterance, or global where `input` has one. For whoever keeps a filterbank over many
/// recordings; others call modelFeatures. `input.kind` is KaldiLogMel.
Matrix<float> normalisedKaldiFeatures(LogMelFilterbank& filterbank, std::span<const float> samples,
                                      const ModelInput& input);

/// Returns whether kaldiFeatures computes so many columns: 80 or 83.
constexpr bool isKaldiColumns(int columns) {
    return columns == LogMelFilterbank::kBins || columns == LogMelFilterbank::kBins + kPitchFeatures;
}

} // namespace headroom
