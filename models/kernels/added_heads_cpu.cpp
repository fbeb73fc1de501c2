// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp -fno-math-errno (models/CMakeLists.txt).
#include "models/kernels/added_heads.h"

#include "models/kernels/head_products.h"
#include "models/kernels/pieces.h"
#include "models/kernels/vector_clones.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/empty.h>

#include <cmath>
#include <stdexcept>

namespace headroom::models {
namespace {

/// A piece of the queries, borrowed.
template <class T>
struct Added {
    std::int64_t heads, count, width;
    const T* perHead; // [head, count, width]
    T* sum;           // [count, width], overlapping nothing
    bool squares;     // ‖·‖₂, else ‖·‖₁
};

constexpr std::int64_t kSums = 16; ///< beside each other, so that adding them does not wait

/// Adds a head's row to the sum and returns its norm.
template <bool kSquares, class T>
HEADROOM_INLINE double addRow(const T* __restrict row, T* __restrict sum, std::int64_t width) {
    T sums[kSums] = {};
    std::int64_t d = 0;
    for (; d + kSums <= width; d += kSums)
#pragma GCC unroll 16
        for (std::int64_t lane = 0; lane < kSums; ++lane) {
            const T value = row[d + lane];
            sums[lane] += kSquares ? value * value : std::abs(value);
            sum[d + lane] += value;
        }
    double total = 0;
    for (const T part : sums)
        total += static_cast<double>(part);
    for (; d < width; ++d) {
        total += static_cast<double>(kSquares ? row[d] * row[d] : std::abs(row[d]));
        sum[d] += row[d];
    }
    return kSquares ? std::sqrt(total) : total;
}

template <class T>
HEADROOM_INLINE void addPiece(const Added<T>& a, T* norms, std::int64_t stride) {
    for (std::int64_t i = 0; i < a.count; ++i)
        for (std::int64_t h = 0; h < a.heads; ++h)
            norms[h * stride + i] = static_cast<T>(
                a.squares ? addRow<true>(a.perHead + (h * a.count + i) * a.width, a.sum + i * a.width, a.width)
                          : addRow<false>(a.perHead + (h * a.count + i) * a.width, a.sum + i * a.width, a.width));
}

HEADROOM_VECTOR_CLONES void addFloats(const Added<float>& a, float* norms, std::int64_t stride) {
    addPiece(a, norms, stride);
}
HEADROOM_VECTOR_CLONES void addDoubles(const Added<double>& a, double* norms, std::int64_t stride) {
    addPiece(a, norms, stride);
}

} // namespace

at::Tensor addEachHead(const at::Tensor& mixed, const at::Tensor& weight, int norm, at::Tensor& sum) {
    const std::int64_t heads = mixed.size(0), queries = mixed.size(1), width = sum.size(1);
    const at::ScalarType type = mixed.scalar_type();
    if (!sum.is_contiguous() || sum.size(0) != queries || sum.scalar_type() != type || weight.scalar_type() != type ||
        !sum.is_cpu() || (type != at::kFloat && type != at::kDouble) || (norm != 1 && norm != 2))
        throw std::logic_error("addEachHead: tensors that do not belong together");
    at::Tensor norms = at::empty({heads, queries}, sum.options());
    const HeadWeights perHead(weight, heads);
    inPieces(queries, [&](std::int64_t first, std::int64_t count) {
        const at::Tensor some = at::empty({heads, count, width}, sum.options());
        perHead.write(mixed.narrow(1, first, count), some);
        const auto add = [&]<class T>(T*, const auto& kernel) {
            kernel(Added<T>{heads, count, width, some.const_data_ptr<T>(), sum.mutable_data_ptr<T>() + first * width, norm == 2},
                   norms.mutable_data_ptr<T>() + first, queries);
        };
        if (type == at::kFloat)
            add(static_cast<float*>(nullptr), addFloats);
        else
            add(static_cast<double*>(nullptr), addDoubles);
    });
    return norms;
}

} // namespace headroom::models
