// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <vector>

namespace headroom::widgets {

/// How the numbers beside the colour scale of a map are written. Rows of a map sum to 1, so that those of a long
/// recording are all below 0.01: they are given in thousandths (millionths), and the scale says so.
struct ScaleNumbers {
    int exponent = 0; ///< 0, −3 or −6: numbers are multiplied by 10^−exponent
    int decimals = 2;

    QString factor() const; ///< "×10⁻³"; empty: the numbers are the values
    QString text(double value) const; ///< without the factor; "0" for 0
};

/// For values from 0 to `high` (≥ 0): two or three significant digits at the top.
ScaleNumbers scaleNumbers(double high);

/// The numbers along a colour scale from `low` to `high`.
struct ScaleRange {
    double low = 0, high = 1, gamma = 1;
    bool isSigned = false; ///< a difference: from −high to high, and 0 in the middle
    bool isCut = false;    ///< values lie beyond the ends
};
struct ScaleTick {
    double share = 0; ///< of the length of the scale, from its lower end
    double value = 0;
    QString label; ///< as ScaleNumbers writes it; "≥ " and "≤ " where values lie beyond
};
/// `parts` + 1 ticks, evenly spaced in colour: their values follow the gamma. No two labels are the same.
std::vector<ScaleTick> scaleTicks(const ScaleRange& range, int parts);

} // namespace headroom::widgets
