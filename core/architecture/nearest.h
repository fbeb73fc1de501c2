// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace headroom {

/// Insertions, deletions, replacements and swaps of neighbours that turn one word into the other, ASCII case
/// ignored.
int editDistance(std::string_view a, std::string_view b);

/// The candidate with the fewest edits, where that is at most a third of the longer word (at least 1); else
/// empty.
std::string_view nearestWord(std::string_view word, std::span<const std::string_view> candidates);

} // namespace headroom
