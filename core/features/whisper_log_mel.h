// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <cstdint>
#include <span>

namespace headroom {

/// Whisper always reads 30 s: shorter recordings are continued with zeros.
inline constexpr std::int64_t kWhisperSamples = 480'000, kWhisperFrames = 3'000;

/// Returns the frames of a recording itself, ⌈samples / 160⌉; the rest of the 3,000 lie behind it.
constexpr std::int64_t whisperFrames(std::int64_t samples) {
    return (samples + 159) / 160;
}

/// Computes the log-mel spectrogram of Whisper (Radford et al. 2022; transformers' WhisperFeatureExtractor):
/// the recording and zeros up to 30 s, reflected by 200 samples at both ends; frames of 400 samples every
/// 160, the first centred at sample 0, with a periodic Hann window; |STFT|² through `bins` Slaney filters;
/// log10(max(·, 1e-10)); max(·, the maximum of all − 8); (· + 4) / 4.
///
/// `samples` at 16 kHz in [−1, 1]. Returns [3000, bins], in time order. Thread-safe. Throws Error
/// "features.tooShort" for an empty recording and "features.tooLong" for more than 30 s.
Matrix<float> whisperLogMel(std::span<const float> samples, int bins = 80);

} // namespace headroom
