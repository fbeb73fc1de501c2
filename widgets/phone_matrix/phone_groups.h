// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/phone_order.h"

#include <QString>

#include <vector>

namespace headroom::widgets {

/// Phones of one manner, next to each other on the map.
struct PhoneGroup {
    QString name;  ///< "vowels", "nasals"
    int first = 0; ///< place in phoneOrder() (core/alignment/phone_order.h)
    int count = 0;
    bool vowels = false; ///< the other groups are consonants
};

/// The manners of core/alignment/phone_order.h with their names translated.
const std::vector<PhoneGroup>& phoneGroups();
/// "AA"; "sil" for kSilenceClass; "–" for what is none.
QString phoneName(int phoneClass);
/// Returns the room in pixels that the names of all classes need beside a map.
double phoneNamesRoom();

} // namespace headroom::widgets
