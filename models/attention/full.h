// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

namespace headroom::models {

/// softmax(scores) over the last dimension without the keys marked by `hidden` (bool, broadcastable to
/// `scores`; undefined: none). Hidden keys get exactly 0. A row without a visible key is zeros, not NaN;
/// while gradients are recorded it is uniform instead (padding). Overwrites `scores`.
at::Tensor maskedSoftmax(at::Tensor scores, const at::Tensor& hidden);

/// The keys of a fused pass; borrows its tensors.
struct FusedKeys {
    const at::Tensor& hidden; ///< bool, broadcastable to the map; undefined: none
    bool causal;              ///< hides later keys instead of `hidden`; as many queries as keys
    double gamma;             ///< relaxation; 0: none
    const at::Tensor& spared; ///< keys over which γ is not spread, bool [.., 1, key]; undefined: none
};

/// softmax(q kᵀ) V without storing the map: by fullAttention() where it applies and no key is hidden, else by ATen's
/// fused kernel. q, k, v [batch, head, token, headWidth], q scaled.
/// Relaxation (Lohrenz et al. 2022, Eq. 4) is linear in the weights: (1 − γ) softmax(q kᵀ) V + γ · mean of V. Every
/// query must see a key. Equals the explicit map to rounding, and itself in every run.
at::Tensor fusedAttention(const at::Tensor& queries, const at::Tensor& keys, const at::Tensor& values,
                          const FusedKeys& seen);

/// Keys after the query, and those more than `reach` before it, as bool [query, key], for `queries` queries
/// at the end of `keys` keys.
at::Tensor hiddenFuture(std::int64_t queries, std::int64_t keys);
at::Tensor hiddenFuture(std::int64_t queries, std::int64_t keys, std::int64_t reach);

} // namespace headroom::models
