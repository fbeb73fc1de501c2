// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/units.h"

#include <cmath>
#include <cstdio>
#include <string>

namespace headroom {

/// Returns "1.25 s" for a message. Half a hundredth is rounded up as it is written, not as it is stored: 2.945 is "2.95 s".
inline std::string secondsText(Seconds time) {
    char text[64];
    std::snprintf(text, sizeof text, "%.2f s", std::round(time.value() * 100) / 100);
    return text;
}

} // namespace headroom
