// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::training {

/// ln 0.
inline constexpr double kLogZero = -std::numeric_limits<double>::infinity();

/// Returns ln(eᵃ + eᵇ).
inline double logSum(double a, double b) {
    const double larger = std::max(a, b);
    return larger == kLogZero ? kLogZero : larger + std::log1p(std::exp(std::min(a, b) - larger));
}

} // namespace headroom::training
