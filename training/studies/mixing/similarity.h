// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <memory>

namespace headroom::training {

/// The states of one layer at n places (tokens, phones, words), prepared for comparison: columns centred, with an
/// orthonormal basis of what they span. Immutable; copies share. Thread-safe.
class Representation {
public:
    /// `states` [n, d], finite, n ≥ 2. Directions whose singular value is below 1e-6 of the largest count as rounding
    /// (states are kept in half precision) and are left out of the basis.
    explicit Representation(MatrixView<const float> states);

    std::int64_t places() const;    ///< n
    std::int64_t width() const;     ///< d
    std::int64_t dimension() const; ///< directions of the basis, at most min(n − 1, d)

private:
    friend double linearCka(const Representation&, const Representation&);
    friend double projectionWeightedCca(const Representation&, const Representation&);
    struct Implementation;
    std::shared_ptr<const Implementation> m;
};

/// Linear CKA (Kornblith et al. 2019, Eq. 3), in 0 … 1, symmetric:
///
///     CKA(X, Y) = ‖YᵀX‖_F² / (‖XᵀX‖_F ‖YᵀY‖_F),   columns centred
///
/// Invariant to rotation and scale, not to other linear maps. NaN if one of them is constant. Throws
/// std::invalid_argument for different places.
double linearCka(const Representation& x, const Representation& y);

/// Projection-weighted CCA (Morcos et al. 2018, §2.3), in 0 … 1, weighted by x and not symmetric:
///
///     Σ_i α_i ρ_i / Σ_i α_i,   α_i = Σ_j |⟨h_i, x_j⟩|
///
/// with the canonical correlations ρ_i of X and Y (as many as the smaller dimension), the canonical directions h_i of X (unit vectors over the places),
/// and the centred columns x_j of X. Invariant to every invertible linear map of Y. Needs many more places than
/// dimensions: with n ≤ d every ρ is 1. NaN and exceptions as linearCka.
double projectionWeightedCca(const Representation& x, const Representation& y);

} // namespace headroom::training
