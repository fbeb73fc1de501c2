// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// Returns the number of insertions, deletions, replacements and swaps of neighbours between two words,
/// ignoring ASCII case.
int editDistance(std::string_view a, std::string_view b);

/// Returns the candidate with the fewest edits if these are at most a third of the longer word (at least 1);
/// otherwise an empty text.
std::string_view nearestWord(std::string_view word, std::span<const std::string_view> candidates);

/// The end of a reason: "; nearest is “one” or “two”". Empty without texts.
std::string nearestText(const std::vector<std::string>& texts);

} // namespace headroom
