// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace at {
class Tensor;
}

/// The operations of banded.h out of ATen's own, differentiated by ATen: for tensors of devices that have no kernel of
/// ours. Same arguments, same results to rounding. Takes the memory of w keys or values per query.
namespace headroom::models::composite {

at::Tensor bandedScores(const at::Tensor& q, const at::Tensor& k, std::int64_t reach,
                        const std::vector<std::int64_t>& lengths);
at::Tensor bandedSoftmax(const at::Tensor& scores);
at::Tensor bandedMix(const at::Tensor& weights, const at::Tensor& v, std::int64_t reach);
at::Tensor bandedAttention(const at::Tensor& q, const at::Tensor& k, const at::Tensor& v, std::int64_t reach,
                           double scale, const std::vector<std::int64_t>& lengths);

} // namespace headroom::models::composite
