// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace at {
class Tensor;
}

namespace headroom::models {

/// What each head adds to the output of its block, W_O^h z^h_i, made a few queries at a time and never held as a whole:
/// adds Σ_h W_O^h z^h_i to `sum` and returns ‖W_O^h z^h_i‖ of `norm` 1 or 2, [head, query], in one pass.
/// - `mixed` z [head, query, valueWidth], `weight` W_O [width, head · valueWidth], `sum` [query, width], contiguous: float or
///   double, one type, on the CPU.
/// - Squares and absolute values are summed beside each other in the type of the tensors, then in double. NaN stays NaN.
/// - Threads: at::parallel_for inside; the result does not depend on their number.
at::Tensor addEachHead(const at::Tensor& mixed, const at::Tensor& weight, int norm, at::Tensor& sum);

} // namespace headroom::models
