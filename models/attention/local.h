// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

namespace headroom::models {

/// The definition of centred windows, N × N, with which the band (kernels/banded.h) is compared.
///
/// Keys outside each head's centred window, |i − j| > ⌊w/2⌋, as bool [head, query, key]. `windows` has one
/// entry per head: odd w, or 0 for a full head. [1, query, key] if all windows are equal; undefined if no
/// window hides anything at this length. Windows are cut at the edges, not wrapped.
at::Tensor hiddenOutsideWindows(const std::vector<int>& windows, std::int64_t tokens);

} // namespace headroom::models
