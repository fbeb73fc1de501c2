// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/count_text.h"

#include <cmath>
#include <cstdio>
#include <string>

namespace headroom {

/// How many frames a training computes, as the window and the terminal write it: "324,000", "1.2 million", "38 million".
inline std::string framesText(double frames) {
    constexpr double kMillion = 1e6;
    if (frames < kMillion)
        return grouped(std::llround(frames));
    char few[32];
    std::snprintf(few, sizeof few, "%.1f", frames / kMillion);
    return (frames < 10 * kMillion ? std::string(few) : grouped(std::llround(frames / kMillion))) + " million";
}

} // namespace headroom
