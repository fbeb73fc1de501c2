// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

namespace headroom::models {

/// fairseq's index of <pad>; the first real token has position kPaddingIndex + 1 = 2.
inline constexpr int kPaddingIndex = 1;

/// Sinusoidal positions as in fairseq and Hugging Face: [sin | cos] halves, frequency exp(−k ln 10⁴ /
/// (width/2 − 1)), in float32 arithmetic (6e-5 from exact at position 1000, but models were trained with it).
/// Position kPaddingIndex is a row of zeros. Returns [positions, width] float32.
at::Tensor sinusoidalPositions(const std::vector<std::int64_t>& positions, std::int64_t width);

/// The same for `count` consecutive tokens from `first`.
at::Tensor sinusoidalPositions(std::int64_t first, std::int64_t count, std::int64_t width);

/// ESPnet's absolute positions (abs_pos): from 0, sine at even, cosine at odd channels, frequency 10⁴^(−2k/width), in
/// float32 arithmetic as there. Returns [count, width] float32; width is even.
at::Tensor interleavedPositions(std::int64_t count, std::int64_t width);

} // namespace headroom::models
