// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <cstdint>
#include <functional>
#include <span>

namespace at {
class Tensor;
}

/// Contribution matrices of a pre-norm attention block (Kobayashi et al. 2020; Alastruey et al. 2022, Eq. 5,
/// row-normalised).
///
///     T_ij = Σ_h A^h_ij u^h_j + δ_ij x_i,   u^h_j = (LN(x_j) W_V^h + b_V^h) W_O^h,   C_ij = ‖T_ij‖₂ / Σ_k
///     ‖T_ik‖₂
///
/// b_V is part of every T_ij, b_O of none. A row whose norms are all zero stays zero; NaN stays NaN. Three
/// forms:
/// - `contributions`: fused, through the Gram matrices ‖T_ij‖² = a_ijᵀ G_j a_ij, plus 2 a_iiᵀ(u_i·x_i) +
///   ‖x_i‖² if i = j;
/// - `contributionsMaterialised`: the same tensors in ATen with T formed as a whole, for speed comparisons;
/// - `referenceContributions`: in double, T formed one pair at a time, as the reference.
///
/// Any number of heads: a convolution that shortened the keys counts as H · taps heads over the original
/// tokens ("virtual heads"). If keys are not queries (cross-attention), the residual is a separate key in the
/// last column: `contributionsWithResidualColumn`.
namespace headroom::models {

enum class ResidualPlace {
    Diagonal, ///< x_i is added to T_ii; as many keys as queries
    Column    ///< ‖x_i‖ is column `keys`, after all keys
};

/// u^h_j for all heads: values [head, token, headWidth] through out_proj.weight [width, head · headWidth].
/// Returns [head, token, width].
at::Tensor transformedValues(const at::Tensor& values, const at::Tensor& outputWeight);

/// u made a few keys at a time, so that it is never held as a whole: returns [head, count, width] of the keys first …
/// first + count − 1.
using TransformedKeys = std::function<at::Tensor(std::int64_t first, std::int64_t count)>;

/// The fused kernel on the CPU, float or double. Never forms an N × N × width tensor; extra memory O(N ·
/// head²), and u of 64 keys where it comes as TransformedKeys. Threads: at::parallel_for inside; the result does not
/// depend on their number.
/// - `attention` [head, query, key], `transformed` u [head, token, width], `residual` x [query, width]:
///   contiguous.
/// - `reach`: no head looks further than this from the diagonal (the number of tokens for a full head);
///   entries beyond are exact zeros.
/// - The queries may be the first of the tokens only; the keys are all of them.
/// - Writes `out` [query, key] of the same type, and `profile` [2N − 1] double: the sums of C along j − i =
///   −(N−1) … N−1.
void contributions(const at::Tensor& attention, const at::Tensor& transformed, const at::Tensor& residual,
                   std::int64_t reach, at::Tensor& out, at::Tensor& profile);
void contributions(const at::Tensor& attention, const TransformedKeys& transformedOf, const at::Tensor& residual,
                   std::int64_t reach, at::Tensor& out, at::Tensor& profile);

/// For keys that are not the queries: ‖T_ij‖ without a residual for every key, then ‖x_i‖, with rows
/// normalised over all key + 1 columns. `attention` [head, query, key], `transformed` [head, key, width],
/// `residual` [query, width], `out` [query, key + 1]: one type, contiguous. Otherwise like `contributions`.
void contributionsWithResidualColumn(const at::Tensor& attention, const at::Tensor& transformed,
                                     const at::Tensor& residual, at::Tensor& out);
void contributionsWithResidualColumn(const at::Tensor& attention, const TransformedKeys& transformedOf,
                                     const at::Tensor& residual, at::Tensor& out);

/// Materialises T [query, key, width] with einsum and takes norms. For comparison only.
at::Tensor contributionsMaterialised(const at::Tensor& attention, const at::Tensor& transformed,
                                     const at::Tensor& residual);

/// The reference: rows `queries` of C in double, T_ij written out for every pair. Accepts any floating type.
/// `attention` [head, query, key] has only the rows of these queries, in order; `values` v [head, token,
/// headWidth], `outputWeight` [width, head · headWidth]. Returns [queries, N].
Matrix<double> referenceContributions(const at::Tensor& attention, const at::Tensor& values,
                                      const at::Tensor& outputWeight, const at::Tensor& residual,
                                      std::span<const std::int64_t> queries);

/// The reference from u: `attention` [head, queries, key], `transformed` [head, key, width], `residual` [all
/// queries, width]. Returns [queries, key], or [queries, key + 1] with ResidualPlace::Column.
Matrix<double> referenceContributions(const at::Tensor& attention, const at::Tensor& transformed,
                                      const at::Tensor& residual, ResidualPlace place,
                                      std::span<const std::int64_t> queries);
/// The same of `keys` keys, with u made a few keys at a time, in double.
Matrix<double> referenceContributions(const at::Tensor& attention, std::int64_t keys,
                                      const TransformedKeys& transformedOf, const at::Tensor& residual,
                                      ResidualPlace place, std::span<const std::int64_t> queries);

} // namespace headroom::models
