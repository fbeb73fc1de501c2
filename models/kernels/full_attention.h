// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace at {
class Tensor;
}

namespace headroom::models {

/// Whether fullAttention() may compute these, [batch, head, token, headWidth]: float on the CPU in inference,
/// numbers of a token side by side, value widths that are multiples of 16, more than 8 queries. Only on
/// processors with AVX2: elsewhere ATen's kernel is used.
bool attendsHere(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values);

/// softmax(q kᵀ) v with q scaled, every query seeing every key: [batch, head, query, valueWidth], in memory
/// [batch, query, head, valueWidth]. `map` [batch, head, query, key], contiguous, receives the weights if it
/// is defined. The same bits for any number of threads and whatever else is in the batch.
at::Tensor fullAttention(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                         const at::Tensor& map);

} // namespace headroom::models
