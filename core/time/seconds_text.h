// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/count_text.h"
#include "core/time/units.h"

#include <cmath>
#include <cstdio>
#include <string>

namespace headroom {

/// Returns "1.25 s" for a message, "21,600.00 s" of six hours. Half a hundredth is rounded up as it is written, not as it is stored:
/// 2.945 is "2.95 s".
inline std::string secondsText(Seconds time) {
    const auto hundredths = std::llround(std::abs(time.value()) * 100);
    char fraction[16];
    std::snprintf(fraction, sizeof fraction, ".%02d s", static_cast<int>(hundredths % 100));
    return (time.value() < 0 && hundredths > 0 ? "-" : "") + grouped(hundredths / 100) + fraction;
}

} // namespace headroom
