// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/diagonal_profile.h"

#include <cstdint>
#include <vector>

namespace headroom {

// Diagonality of a map whose rows sum to 1 (Alastruey et al. 2022, Eq. 6–8; Shim et al. 2022, Eq. 2–3).
// Everything is computed from the diagonal profile and divided by its total (N if rows sum to 1), so
// unnormalised maps work too. All functions return NaN for an empty profile. Pure; safe on every thread.

/// D(w), the share of the map inside |i − j| ≤ ⌊w/2⌋: (1/N) Σ_i Σ_{|i−j| ≤ ⌊w/2⌋} C̃_ij. Alastruey et al.
/// 2022, Eq. 6. In [0, 1], non-decreasing, D(2N) = 1, and 1 beyond 2N. Changes only at even w: D(2) = D(3). w
/// ≥ 1.
double diagonality(const DiagonalProfile& profile, std::int64_t window);

/// Returns D(1) … D(2N), 2N numbers.
std::vector<double> cumulativeDiagonality(const DiagonalProfile& profile);

/// CL(w) = 1 − D(w), the contribution that a window of w tokens would cut off. Alastruey et al. 2022, §3.
double contributionLoss(const DiagonalProfile& profile, std::int64_t window);

/// CCD, the mean of D(w) over w = 1 … 2N = 1 − E|i−j|/N + P(i≠j)/(2N). In (0, 1].
double cumulativeContributionDiagonality(const DiagonalProfile& profile);
/// CCD by the trapezoid rule over [1, 2N], divided by 2N − 1 (the reading given in a tool tip).
double cumulativeContributionDiagonalityTrapezoid(const DiagonalProfile& profile);

/// CAD of an attention map, exact step integral: 1 − E|i−j|/(N−1). 1 for N = 1. Shim et al. 2022, Eq. 3.
double cumulativeAttentionDiagonality(const DiagonalProfile& profile);
/// CAD by the trapezoid rule on the nodes k/(N−1): the exact value + (1 − D_0)/(2(N−1)).
double cumulativeAttentionDiagonalityTrapezoid(const DiagonalProfile& profile);

} // namespace headroom
