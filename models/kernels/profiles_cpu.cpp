// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp (models/CMakeLists.txt).
#include "models/kernels/profiles.h"

#include "models/kernels/device_operators.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/Parallel.h>

#include <algorithm>

namespace headroom::models {

at::Tensor diagonalSums(const at::Tensor& attention, std::int64_t reach) {
    if (!attention.is_cpu() && !hasDeviceKernels(attention))
        return diagonalSums(attention.cpu(), reach);
    const std::int64_t heads = attention.size(0), tokens = attention.size(1);
    at::Tensor result = at::zeros({heads, 2 * tokens - 1}, attention.options().dtype(at::kDouble).requires_grad(false));
    if (!attention.is_cpu()) {
        device::headProfiles(attention, reach, result);
        return result;
    }
    const auto* map = attention.const_data_ptr<float>();
    auto* sums = result.mutable_data_ptr<double>();
    at::parallel_for(0, heads, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t h = first; h < last; ++h)
            for (std::int64_t i = 0; i < tokens; ++i) {
                const float* row = map + (h * tokens + i) * tokens;
                double* diagonals =
                    sums + h * (2 * tokens - 1) + tokens - 1 - i; // element j: the sum along j − i
                const std::int64_t begin = std::max<std::int64_t>(0, i - reach),
                                   end = std::min(tokens, i + reach + 1);
                for (std::int64_t j = begin; j < end; ++j)
                    diagonals[j] += static_cast<double>(row[j]);
            }
    });
    return result;
}

} // namespace headroom::models
