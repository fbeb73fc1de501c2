// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

/// The launcher of dropout_cuda.cu.
namespace headroom::models::device {

struct Bfloat16;

/// y = x · mask with the mask of drawMask() (models/layers/dropout_kernels.h): `kept`, or 0 where the number
/// of key and place is below `limit`, a share of 2³². The same bits as on the CPU. T: float, double or
/// Bfloat16. Throws std::runtime_error if the kernel cannot be started.
template <class T>
void launchDropout(const T* x, T* y, std::int64_t count, std::uint64_t key, std::uint32_t limit, float kept,
                   void* stream);

} // namespace headroom::models::device
