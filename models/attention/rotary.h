// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

namespace headroom::models {

/// cos and sin of position · 10⁴^(−2k/width) for tokens `first` … `first` + `count` − 1, each angle twice:
/// [2, token, width] float64.
at::Tensor rotaryPositions(std::int64_t first, std::int64_t count, std::int64_t width);

/// Rotary positions (Su et al. 2021): channels 2k and 2k + 1 of a query or key [batch, head, token,
/// headWidth] are rotated by the angle of its token, so q · k depends only on the distance. Neighbouring
/// channels form a pair, the paper's interleaved form (GPT-NeoX pairs the halves instead).
at::Tensor rotated(const at::Tensor& x, const at::Tensor& table);

} // namespace headroom::models
