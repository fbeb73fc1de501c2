// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/hundredths_text.h"

namespace headroom {

/// hundredthsText() for a message: "1.25 s".
inline std::string secondsText(Seconds time) {
    return hundredthsText(time) + " s";
}

} // namespace headroom
