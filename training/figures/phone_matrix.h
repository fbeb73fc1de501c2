// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/heat_map.h"

namespace headroom::figures {

struct PhoneMatrixLook {
    bool names = true;   ///< every phone; otherwise only the manners
    bool silence = true; ///< a row and a column after the last, hatched if the map has none
    std::string title;
};

/// Draws a map of phone classes in the order of core/alignment/phone_order.h; rows attend (or are true).
/// `values`: [36, 36] in the order of core/alignment/phones.h, or [37, 37] with silence. `counts` [36, 36]:
/// pairs from fewer than three utterances are pale; empty: none are.
void drawPhoneMatrix(Scene& scene, const Box& frame, const Matrix<double>& values,
                     const Matrix<double>& counts, const ColourScale& scale, const PhoneMatrixLook& look = {});
/// Space for the names above and on the left.
inline constexpr double kPhoneNames = 15;

} // namespace headroom::figures
