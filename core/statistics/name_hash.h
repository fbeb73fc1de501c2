// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace headroom {

/// FNV-1a with 64 bits, the same on every machine.
inline std::uint64_t nameHash(std::string_view name) {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char c : name)
        hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3U;
    return hash;
}

} // namespace headroom
