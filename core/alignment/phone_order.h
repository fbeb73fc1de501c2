// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phones.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

namespace headroom {

/// The 36 classes of kPhoneClasses; silence is not one of them.
inline constexpr int kPhoneClassCount = static_cast<int>(kPhoneClasses.size());

/// Stands between two phones of which the first attends to the second, on the screen and in tables: "AH → S".
inline constexpr std::string_view kAttendsTo = " → ";

/// Phones with one manner of articulation, neighbours on every map of phones.
struct PhoneManner {
    std::string name;         ///< English: "vowels", "nasals"
    std::vector<int> classes; ///< 0 … 35, as in kPhoneClasses
};

// The order of phones on every map, on the screen and on paper: vowels first, then consonants from the most to
// the least open. Pure; thread-safe.

const std::vector<PhoneManner>& phoneManners();
/// The class (0 … 35) at each place of a map.
const std::array<int, kPhoneClassCount>& phoneOrder();
/// The same for a map that has silence, too: it stands last.
const std::array<int, kPhoneClassCount + 1>& phoneOrderWithSilence();
/// The place (0 … 35) of a class; −1 for a number that is no class, silence included.
int placeOfPhone(int phoneClass);

} // namespace headroom
