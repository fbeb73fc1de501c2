// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace at {
class Tensor;
}

namespace headroom::models {

/// What decides a mask of dropout: drawMask() in dropout_kernels.h.
struct DropoutDraw {
    std::uint64_t key = 0;
    std::uint32_t limit = 0; ///< a share of 2³²
    float kept = 1;
};

// Passes over contiguous tensors of the CPU, in float, double or bfloat16, on torch's threads. They know nothing of
// gradients, so that this source is compiled for the vectoriser without autograd's headers.

/// from · mask, in the type of `from`
at::Tensor maskedOnCpu(const at::Tensor& from, const DropoutDraw& draw);
/// The same of floats, in bfloat16.
at::Tensor maskedToBfloat16(const at::Tensor& from, const DropoutDraw& draw);
/// x = max(x, 0) · mask
void maskPositive(const at::Tensor& x, const DropoutDraw& draw);
/// from · kept where y is above 0, otherwise 0; both in the type of y
at::Tensor keptWherePositive(const at::Tensor& from, const at::Tensor& y, float kept);
/// from · mask + past, in the type of `past`: that of `from`, or float for bfloat16.
at::Tensor maskedAdd(const at::Tensor& from, const at::Tensor& past, const DropoutDraw& draw);

} // namespace headroom::models
