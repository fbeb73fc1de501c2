// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp (models/CMakeLists.txt).
#include "models/kernels/profiles.h"

#include "models/kernels/device_operators.h"
#include "models/kernels/vector_clones.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/zeros.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace headroom::models {
namespace {

/// Adds the elements begin … end − 1 of row i to the diagonals, element j to the sum along j − i.
HEADROOM_INLINE void addToDiagonals(const float* row, std::int64_t begin, std::int64_t end,
                                    double* diagonals) {
#pragma GCC ivdep
    for (std::int64_t j = begin; j < end; ++j)
        diagonals[j] += static_cast<double>(row[j]);
}

constexpr std::int64_t kTogether = 4; ///< rows, so that each sum is read and written once for all of them

/// The rows first … first + count − 1 of a head's map [N, N], which begin at `row`.
HEADROOM_INLINE void sumRows(const float* row, std::int64_t first, std::int64_t count, std::int64_t tokens,
                             std::int64_t reach, double* sums) {
    const auto beginOf = [&](std::int64_t i) { return std::max<std::int64_t>(0, i - reach); };
    const auto endOf = [&](std::int64_t i) { return std::min(tokens, i + reach + 1); };
    double* diagonals =
        sums + tokens - 1 - first; // of row `first`; of row `first` + r, r places further left
    // Elements k + r of the rows `first` + r are on one diagonal, in every row for these k.
    const std::int64_t low = beginOf(first), high = std::min(tokens - kTogether + 1, first + reach + 1);
    const bool together = count == kTogether && low < high;
    if (together)
#pragma GCC ivdep
        for (std::int64_t k = low; k < high; ++k)
            diagonals[k] +=
                (static_cast<double>(row[k]) + static_cast<double>(row[tokens + k + 1])) +
                (static_cast<double>(row[2 * tokens + k + 2]) + static_cast<double>(row[3 * tokens + k + 3]));
    for (std::int64_t r = 0; r < count; ++r) {
        const std::int64_t i = first + r, begin = beginOf(i), end = endOf(i);
        addToDiagonals(row + r * tokens, begin, together ? std::min(end, low + r) : end, diagonals - r);
        if (together)
            addToDiagonals(row + r * tokens, std::max(begin, high + r), end, diagonals - r);
    }
}

/// The diagonals of a head's map [N, N].
HEADROOM_VECTOR_CLONES void sumDiagonals(const float* map, std::int64_t tokens, std::int64_t reach,
                                         double* sums) {
    for (std::int64_t first = 0; first < tokens; first += kTogether)
        sumRows(map + first * tokens, first, std::min(kTogether, tokens - first), tokens, reach, sums);
}

/// The same of the first `own` rows and columns of a map whose rows are `stride` numbers apart; each row is
/// divided by its sum, in `rows` [kTogether, own].
HEADROOM_VECTOR_CLONES void sumOwnDiagonals(const float* map, std::int64_t stride, std::int64_t own,
                                            float* rows, double* sums) {
    for (std::int64_t first = 0; first < own; first += kTogether) {
        const std::int64_t count = std::min(kTogether, own - first);
        for (std::int64_t r = 0; r < count; ++r) {
            const float* from = map + (first + r) * stride;
            double whole = 0;
#pragma omp simd reduction(+ : whole)
            for (std::int64_t j = 0; j < own; ++j)
                whole += static_cast<double>(from[j]);
            const float sum = whole > 0 ? static_cast<float>(whole) : 1.0F;
#pragma GCC ivdep
            for (std::int64_t j = 0; j < own; ++j)
                rows[r * own + j] = from[j] / sum;
        }
        sumRows(rows, first, count, own, own, sums);
    }
}

} // namespace

at::Tensor diagonalSums(const at::Tensor& attention, std::int64_t reach) {
    if (!attention.is_cpu() && !hasDeviceKernels(attention))
        return diagonalSums(attention.cpu(), reach);
    const std::int64_t heads = attention.size(0), tokens = attention.size(1);
    at::Tensor result =
        at::zeros({heads, 2 * tokens - 1}, attention.options().dtype(at::kDouble).requires_grad(false));
    if (!attention.is_cpu()) {
        device::headProfiles(attention, reach, result);
        return result;
    }
    const auto* map = attention.const_data_ptr<float>();
    auto* sums = result.mutable_data_ptr<double>();
    at::parallel_for(0, heads, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t h = first; h < last; ++h)
            sumDiagonals(map + h * tokens * tokens, tokens, reach, sums + h * (2 * tokens - 1));
    });
    return result;
}

at::Tensor ownDiagonalSums(const at::Tensor& attention, std::int64_t own) {
    const std::int64_t heads = attention.size(0), stride = attention.size(2);
    if (!attention.is_cpu() || !attention.is_contiguous() || attention.scalar_type() != at::kFloat ||
        own > attention.size(1) || own > stride)
        throw std::logic_error("ownDiagonalSums: a map that it cannot read");
    at::Tensor result = at::zeros({heads, 2 * own - 1}, attention.options().dtype(at::kDouble));
    const auto* map = attention.const_data_ptr<float>();
    auto* sums = result.mutable_data_ptr<double>();
    at::parallel_for(0, heads, 1, [&](std::int64_t first, std::int64_t last) {
        std::vector<float> rows(static_cast<std::size_t>(kTogether * own));
        for (std::int64_t h = first; h < last; ++h)
            sumOwnDiagonals(map + h * attention.size(1) * stride, stride, own, rows.data(),
                            sums + h * (2 * own - 1));
    });
    return result;
}

} // namespace headroom::models
