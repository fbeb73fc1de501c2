// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/architecture/architecture.h"
#include "models/layers/parameters.h"

#include <cstdint>

namespace headroom::models {

/// The bucket of every offset j − i = −(tokens − 1) … tokens − 1 of a key from its query, int64: the upper half
/// for later keys; in each half one bucket for each of the nearest distances, then logarithmic ones up to
/// maxDistance (WavLM, Chen et al. 2022, Eq. 5).
at::Tensor relativeBuckets(const Architecture::RelativeBias& shape, std::int64_t tokens);

/// The bias of every offset −(tokens − 1) … tokens − 1 from the table `buckets` [bucket, head]: [head, 2 ·
/// tokens − 1].
at::Tensor biasByOffset(const at::Tensor& buckets, const Architecture::RelativeBias& shape,
                        std::int64_t tokens);
/// The same as a map, [head, query, key].
at::Tensor biasMap(const at::Tensor& byOffset);

/// The gate of each head and query, [batch, head, token, 1], from the input of the attention [batch, token,
/// width], cut into heads as it is: with p = gru_rel_pos_linear(x_head), a = σ(p₀ + … + p₃), b = σ(p₄ + … +
/// p₇): a (b · gru_rel_pos_const − 1) + 2. `attention` has these three tensors.
at::Tensor biasGate(const Scope& attention, const at::Tensor& input, std::int64_t heads);

} // namespace headroom::models
