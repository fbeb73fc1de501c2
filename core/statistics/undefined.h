// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <limits>

namespace headroom {

/// A metric without a value here: nothing to average, or a layer without a window. NaN, so that it cannot pass
/// for a number; tables leave the cell empty and plots the place.
inline constexpr double kUndefined = std::numeric_limits<double>::quiet_NaN();

} // namespace headroom
