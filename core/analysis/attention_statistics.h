// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/diagonal_profile.h"
#include "core/matrix/matrix.h"

#include <cstdint>
#include <span>
#include <vector>

namespace headroom {

/// Statistics of one attention map whose rows sum to 1: means over rows, skipping rows of NaN. NaN for an
/// empty map. If the keys are not the queries (compressed keys), the mean distance is NaN.
struct AttentionStatistics {
    double entropy = 0;      ///< nats, −Σ_j A_ij ln A_ij
    double meanDistance = 0; ///< tokens, Σ_j A_ij |i − j|
    double maximum = 0;      ///< max_j A_ij
    double onSilence = 0;    ///< Σ_{j silent} A_ij; NaN if silence is unknown
};
/// `silent`: one per key (otherwise std::invalid_argument), or empty if unknown. Pure; safe on every thread.
AttentionStatistics attentionStatistics(MatrixView<const float> map, std::span<const bool> silent = {});

/// Returns D(r) of Shim et al. 2022, Eq. 2, at r = k/(R−1), k = 0 … R−1: the share of the map within |i − j|
/// ≤ r(N − 1), from the diagonal profile. NaN for an empty profile. Throws std::invalid_argument for fewer
/// than 2 nodes.
std::vector<double> attentionDiagonalityCurve(const DiagonalProfile& profile, int nodes = 101);

/// Heads with a smaller CAD are phonetic, the others linguistic (Shim et al. 2022, §4; one table of their
/// appendix swaps the two words).
inline constexpr double kPhoneticBelow = 0.75;

enum class RelevanceMode {
    Pooled,   ///< L2 norms; the median over all tokens of all utterances (text of Sant et al. 2022, Eq. 4)
    Notebook, ///< L1 norms; the median over utterances of each utterance's median (their released code)
};
/// Returns the lower of the middle elements, as torch.median does; NaN if empty. Reorders `values`.
double lowerMedian(std::span<double> values);
/// Returns the relevance of each head of a layer, [H], from the norms of its heads, [tokens, H] per utterance
/// (L2 for Pooled, L1 for Notebook; the caller measures the norm of the mode). Rows are normalised over the
/// heads before the median; the result need not sum to 1. Rows without a norm are skipped. Throws
/// std::invalid_argument if H differs.
std::vector<double> headRelevance(std::span<const Matrix<float>> utterances, RelevanceMode mode);

} // namespace headroom
