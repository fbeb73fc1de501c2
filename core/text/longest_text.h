// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom {

/// The most tokens that a search writes of one text unless it is told otherwise; of a longer text the rest is missing.
inline constexpr int kLongestText = 200;

} // namespace headroom
