// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <cstdint>
#include <vector>

namespace headroom {

/// The 2N − 1 sums along the diagonals of a square matrix: sums[k + N − 1] = Σ_i M[i, i + k] for k = −(N−1) …
/// N−1.
///
/// A sufficient statistic: D(w), CCD, CAD, the statistic of Algorithm 1 and CL of every centred window follow
/// from it in O(N) (core/analysis). Accumulated in double. Immutable; safe on every thread.
class DiagonalProfile {
public:
    DiagonalProfile() = default;
    /// Throws std::invalid_argument if the matrix is not square.
    explicit DiagonalProfile(MatrixView<const float> matrix);
    explicit DiagonalProfile(MatrixView<const double> matrix);
    /// Takes 2N − 1 sums (as in `layer.l.contribution_profile`). Throws std::invalid_argument for an even
    /// number of them.
    explicit DiagonalProfile(std::vector<double> sums);

    /// N, the side of the matrix; 0 for an empty profile.
    std::int64_t size() const {
        return m_sums.empty() ? 0 : static_cast<std::int64_t>(m_sums.size() + 1) / 2;
    }
    bool empty() const { return m_sums.empty(); }
    /// Sum along j − i = offset, −(N−1) ≤ offset ≤ N−1; 0 outside.
    double at(std::int64_t offset) const;
    /// Mean along that diagonal (its length is N − |offset|); 0 outside.
    double mean(std::int64_t offset) const;
    double total() const;
    const std::vector<double>& sums() const { return m_sums; }

private:
    std::vector<double> m_sums;
};

} // namespace headroom
