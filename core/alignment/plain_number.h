// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/count_text.h"

#include <array>
#include <charconv>
#include <cmath>
#include <string>

namespace headroom {

/// Returns the shortest text that reads back as the same number, for a sentence: "0.000001", not "1e-06".
/// Only numbers that would take more than 40 characters have an exponent.
inline std::string plainNumber(double value) {
    std::array<char, 40> buffer;
    auto written =
        std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::fixed);
    if (written.ec != std::errc())
        written = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    const std::string text(buffer.data(), written.ptr);
    return text.starts_with('-') ? "\u2212" + text.substr(1) : text;
}

/// Returns a number of things that a file declares: "4,000,000,000", "2.5", "−1".
inline std::string plainCount(double value) {
    constexpr double kExact = 1e15;
    const std::string text = value == std::floor(value) && std::abs(value) < kExact
                                 ? grouped(static_cast<std::int64_t>(value))
                                 : plainNumber(value);
    return text.starts_with('-') ? "\u2212" + text.substr(1) : text;
}

} // namespace headroom
