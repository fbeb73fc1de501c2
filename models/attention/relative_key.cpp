// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/attention/relative_key.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/arange.h>
#include <ATen/ops/gather.h>
#include <ATen/ops/matmul.h>

namespace headroom::models {

at::Tensor relativeKeyScores(const at::Tensor& q, const at::Tensor& embedding, Architecture::RelativeKey reach) {
    const at::Tensor byDistance = at::matmul(q, embedding.t()); // [batch, head, query, distance]
    const at::Tensor place = at::arange(q.size(2), q.options().dtype(at::kLong));
    const at::Tensor distance = place.unsqueeze(0)
                                    .sub(place.unsqueeze(1))
                                    .clamp(-reach.left, reach.right)
                                    .add(reach.left); // [query, key]
    return at::gather(byDistance, 3, distance.expand({q.size(0), q.size(1), q.size(2), q.size(2)}));
}

at::Tensor relativeKeyBandScores(const at::Tensor& q, const at::Tensor& embedding, Architecture::RelativeKey reach,
                                 std::int64_t band) {
    const at::Tensor distance =
        at::arange(-band, band + 1, q.options().dtype(at::kLong)).clamp(-reach.left, reach.right).add(reach.left); // [slot]
    return at::matmul(q, embedding.index_select(0, distance).t());
}

} // namespace headroom::models
