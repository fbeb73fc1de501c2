// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace headroom {

inline constexpr std::uint64_t kMostSeeds = 100;

/// Parses "1 2 3", "1-3" or "1, 4-6": whole numbers from 0, each once, in the order written, kMostSeeds at
/// most. Throws Error "seeds.value", which names the part that is not a seed.
std::vector<std::uint64_t> parseSeeds(const std::string& text);

} // namespace headroom
