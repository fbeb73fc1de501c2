// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headroom {

/// An sRGB colour with opacity. A value.
struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
    double alpha = 1; ///< 0 (transparent) … 1 (opaque)
    bool operator==(const Colour&) const = default;
    Colour withAlpha(double value) const { return {red, green, blue, value}; }
    /// "#0b72a1", without the opacity.
    std::string hex() const;
};
/// From 0xRRGGBB, opaque.
constexpr Colour rgb(std::uint32_t value) {
    return {std::uint8_t(value >> 16), std::uint8_t(value >> 8), std::uint8_t(value), 1};
}

} // namespace headroom
