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

/// Keys after the query, as bool [query, key], for `queries` queries at the end of `keys` keys.
at::Tensor hiddenFuture(std::int64_t queries, std::int64_t keys);

} // namespace headroom::models
