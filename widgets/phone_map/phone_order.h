// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phones.h"

#include <QString>

#include <array>
#include <vector>

namespace headroom::widgets {

/// The 36 classes that a map of phones shows; silence is a row of its own, left out.
inline constexpr int kPhoneClassCount = int(kPhoneClasses.size());

/// Phones of one manner, next to each other on the map.
struct PhoneGroup {
    QString name;  ///< "vowels", "nasals"
    int first = 0; ///< place in phoneOrder()
    int count = 0;
    bool vowels = false; ///< the other groups are consonants
};

/// Class (0 … 35, core/alignment/phones.h) at each place of the map: the order of the figures
/// (core/figures/phone_order.h).
const std::array<int, kPhoneClassCount>& phoneOrder();
/// The place of a class; −1 for what is none.
int placeOfPhone(int phoneClass);
const std::vector<PhoneGroup>& phoneGroups();
/// "AA"; "sil" for kSilenceClass; "–" for what is none.
QString phoneName(int phoneClass);

} // namespace headroom::widgets
