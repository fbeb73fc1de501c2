// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/heat_map.h"

namespace headroom::figures {

struct PhoneMatrixLook {
    bool names = true;   ///< every phone; else the manners only
    bool silence = true; ///< a row and a column after the last, hatched where the map has none
    std::string title;
};

/// A map of phone classes in the order of core/alignment/phone_order.h, rows attend (or are true). `values`:
/// [36, 36] in the order of core/alignment/phones.h, or [37, 37] with silence. `counts` [36, 36]: pairs of fewer than
/// three utterances are pale; empty: none are.
void drawPhoneMatrix(Scene& scene, const Box& frame, const Matrix<double>& values,
                     const Matrix<double>& counts, const ColourScale& scale, const PhoneMatrixLook& look = {});
/// Room for the names above and at the left.
inline constexpr double kPhoneNames = 15;

} // namespace headroom::figures
