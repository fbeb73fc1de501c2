// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

namespace headroom::models {

/// Keys outside each head's centred window, |i − j| > ⌊w/2⌋, as bool [head, query, key]. `windows` has one
/// entry per head: odd w, or 0 for a head that sees everything. [1, query, key] where all windows are equal;
/// undefined where no window hides anything at this length. Windows are cut at the edges, never wrapped.
at::Tensor hiddenOutsideWindows(const std::vector<int>& windows, std::int64_t tokens);

/// How far from the diagonal any head of a layer may look: max ⌊w/2⌋, or `tokens` where one head sees
/// everything.
std::int64_t reachOf(const std::vector<int>& windows, std::int64_t tokens);

} // namespace headroom::models
