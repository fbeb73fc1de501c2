// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/count_text.h"
#include "core/time/rounded_time.h"
#include "core/time/units.h"

#include <cmath>
#include <cstdio>
#include <string>

namespace headroom {

/// Returns "1.25", "21,600.00" of six hours, "–" of what is not known. Rounded as roundedTime() does.
inline std::string hundredthsText(Seconds time) {
    if (!std::isfinite(time.value()))
        return "–";
    const auto hundredths = std::llround(std::abs(roundedTime(time.value(), 2)) * 100);
    char fraction[16];
    std::snprintf(fraction, sizeof fraction, ".%02d", static_cast<int>(hundredths % 100));
    return (time.value() < 0 && hundredths > 0 ? "-" : "") + grouped(hundredths / 100) + fraction;
}

} // namespace headroom
