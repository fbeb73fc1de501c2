// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>

#include <QColor>

namespace headroom::testing {

enum class Sight { Normal, Protan, Deutan, Tritan };

/// As somebody with this colour vision sees it: Machado, Oliveira and Fernandes 2009, severity 1, in linear
/// RGB.
std::array<double, 3> linearSeenBy(Sight sight, const QColor& colour);
/// CIE 1976 L*a*b* (D65) of a linear RGB colour.
std::array<double, 3> lab(const std::array<double, 3>& linear);
/// ΔE*ab (CIE 1976) between two colours for this colour vision.
double difference(Sight sight, const QColor& a, const QColor& b);
/// WCAG 2 contrast ratio, 1 … 21.
double contrast(const QColor& a, const QColor& b);

} // namespace headroom::testing
