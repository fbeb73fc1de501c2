// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace headroom {

/// Formats an integer for a message: 1,052.
inline std::string grouped(std::int64_t number) {
    auto text = std::to_string(number);
    const std::ptrdiff_t first = number < 0 ? 1 : 0;
    for (auto at = static_cast<std::ptrdiff_t>(text.size()) - 3; at > first; at -= 3)
        text.insert(static_cast<std::size_t>(at), 1, ',');
    return text;
}

/// "1 token", "1,052 tokens".
inline std::string counted(std::int64_t number, const std::string& noun) {
    return grouped(number) + " " + noun + (number == 1 ? "" : "s");
}

} // namespace headroom
