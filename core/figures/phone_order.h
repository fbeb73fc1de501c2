// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headroom::figures {

/// Phones of one manner, next to each other on the map.
struct PhoneManner {
    std::string name;
    std::vector<int> classes; ///< core/alignment/phones.h
};
/// Vowels first, then consonants from the most to the least open: the window's maps have this order too.
const std::vector<PhoneManner>& phoneManners();
/// The 36 classes in that order.
std::vector<int> phoneOrder();

} // namespace headroom::figures
