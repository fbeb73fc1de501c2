// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/diagonal_profile.h"
#include "core/matrix/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headroom {

/// What is read off one attention map whose rows sum to 1. Means over rows; rows of NaN are skipped. NaN for
/// an empty map. Keys need not be the queries (compressed keys): the mean distance is then NaN.
struct AttentionStatistics {
    double entropy = 0;      ///< nats, −Σ_j A_ij ln A_ij
    double meanDistance = 0; ///< tokens, Σ_j A_ij |i − j|
    double maximum = 0;      ///< max_j A_ij
    double onSilence = 0;    ///< Σ_{j silent} A_ij; NaN where what is silent is not known
};
/// `silent`: one per key, else std::invalid_argument; empty: not known. Pure; safe from every thread.
AttentionStatistics attentionStatistics(MatrixView<const float> map, std::span<const bool> silent = {});

/// D(r) of Shim et al. 2022, Eq. 2, at r = k/(R−1), k = 0 … R−1: the share of the map within |i − j| ≤
/// r(N − 1). From the diagonal profile; NaN for an empty one. At least 2 nodes, else std::invalid_argument.
std::vector<double> attentionDiagonalityCurve(const DiagonalProfile& profile, int nodes = 101);

/// Heads with a smaller CAD are phonetic, the others linguistic (Shim et al. 2022, §4; a table of their
/// appendix has the two words exchanged).
inline constexpr double kPhoneticBelow = 0.75;

enum class RelevanceMode {
    Pooled,   ///< L2 norms; the median over all tokens of all utterances (Sant et al. 2022, Eq. 4, its text)
    Notebook, ///< L1 norms; the median over utterances of each one's median (their released code)
};
/// The lower middle element, as torch.median takes it; NaN of nothing. `values` are reordered.
double lowerMedian(std::span<double> values);
/// Norms of one layer's heads, [tokens, H] per utterance (L2 for Pooled, L1 for Notebook: whoever measures
/// takes the one that the mode says) → [H]. Rows are made to sum to 1 over the heads before the median; the
/// result need not. Rows without a norm are skipped. Throws std::invalid_argument where H differs.
std::vector<double> headRelevance(std::span<const Matrix<float>> utterances, RelevanceMode mode);

} // namespace headroom
