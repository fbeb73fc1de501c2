// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/colour/colour.h"

#include <cstdio>

namespace headroom {

std::string Colour::hex() const {
    char text[8];
    std::snprintf(text, sizeof text, "#%02x%02x%02x", red, green, blue);
    return text;
}

} // namespace headroom
