// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp -fno-math-errno (models/CMakeLists.txt).
#include "models/kernels/banded_kernels.h"

#include "models/kernels/vector_clones.h"

#include <ATen/core/Tensor.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::models {
namespace {

/// Rows of a [batch, head, token, width] view.
template <class T>
struct View {
    T* data;
    std::int64_t batchStride, headStride, rowStride;
    T* row(std::int64_t b, std::int64_t h, std::int64_t i) const {
        return data + b * batchStride + h * headStride + i * rowStride;
    }
};

template <class T>
View<const T> input(const at::Tensor& x) {
    return {x.const_data_ptr<T>(), x.stride(0), x.stride(1), x.stride(2)};
}
template <class T>
View<T> output(at::Tensor& x) {
    return {x.mutable_data_ptr<T>(), x.stride(0), x.stride(1), x.stride(2)};
}

constexpr std::int64_t kRows =
    64; ///< of one piece of work, whoever does it: results do not depend on threads

/// work(batch, head, first row, end)
template <class Work>
void forEveryBlock(const at::Tensor& x, const Work& work) {
    const std::int64_t heads = x.size(1), tokens = x.size(2), blocks = (tokens + kRows - 1) / kRows;
    at::parallel_for(0, x.size(0) * heads * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t item = begin; item < end; ++item) {
            const std::int64_t first = item % blocks * kRows, head = item / blocks;
            work(head / heads, head % heads, first, std::min(tokens, first + kRows));
        }
    });
}

template <class T>
void productsOf(const at::Tensor& a, const at::Tensor& b, std::int64_t reach, const std::int64_t* lengths,
                double empty, at::Tensor& band) {
    const auto left = input<T>(a), right = input<T>(b);
    const auto out = output<T>(band);
    const std::int64_t width = a.size(3), tokens = a.size(2);
    forEveryBlock(a, [&](std::int64_t n, std::int64_t h, std::int64_t first, std::int64_t last) {
        const std::int64_t keys = lengths ? lengths[n] : tokens;
        for (std::int64_t i = first; i < last; ++i)
            for (std::int64_t s = 0; s <= 2 * reach; ++s) {
                const std::int64_t j = i - reach + s;
                T sum = 0;
                if (j >= 0 && j < keys) {
                    const T *x = left.row(n, h, i), *y = right.row(n, h, j);
#pragma omp simd reduction(+ : sum)
                    for (std::int64_t d = 0; d < width; ++d)
                        sum += x[d] * y[d];
                } else {
                    sum = static_cast<T>(empty);
                }
                out.row(n, h, i)[s] = sum;
            }
    });
}

template <class T>
void timesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
               const std::int64_t* lengths, at::Tensor& out) {
    const auto weights = input<T>(band), from = input<T>(rows);
    const auto to = output<T>(out);
    const std::int64_t width = rows.size(3), tokens = rows.size(2);
    forEveryBlock(rows, [&](std::int64_t n, std::int64_t h, std::int64_t first, std::int64_t last) {
        const std::int64_t keys = lengths ? lengths[n] : tokens;
        for (std::int64_t i = first; i < last; ++i) {
            T* sum = to.row(n, h, i);
            std::fill(sum, sum + width, T(0));
            for (std::int64_t j = std::max<std::int64_t>(0, i - reach); j < std::min(keys, i + reach + 1);
                 ++j) {
                const T weight = weights.row(n, h, i)[j - i + reach];
                const T* row = from.row(n, h, j);
                for (std::int64_t d = 0; d < width; ++d)
                    sum[d] += weight * row[d];
            }
        }
    });
}

template <class T>
void transposedTimesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                         const std::int64_t* lengths, at::Tensor& out) {
    const auto weights = input<T>(band), from = input<T>(rows);
    const auto to = output<T>(out);
    const std::int64_t width = rows.size(3), tokens = rows.size(2);
    forEveryBlock(rows, [&](std::int64_t n, std::int64_t h, std::int64_t first, std::int64_t last) {
        const std::int64_t keys = lengths ? lengths[n] : tokens;
        for (std::int64_t j = first; j < last; ++j) {
            T* sum = to.row(n, h, j);
            std::fill(sum, sum + width, T(0));
            if (j >= keys)
                continue;
            for (std::int64_t i = std::max<std::int64_t>(0, j - reach); i < std::min(tokens, j + reach + 1);
                 ++i) {
                const T weight = weights.row(n, h, i)[j - i + reach];
                const T* row = from.row(n, h, i);
                for (std::int64_t d = 0; d < width; ++d)
                    sum[d] += weight * row[d];
            }
        }
    });
}

template <class T>
void softmaxOf(at::Tensor& band, double scale) {
    const std::int64_t slots = band.size(3), rows = band.numel() / std::max<std::int64_t>(1, slots);
    T* data = band.mutable_data_ptr<T>();
    const T factor = static_cast<T>(scale);
    at::parallel_for(0, rows, kRows, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin; i < end; ++i) {
            T* row = data + i * slots;
            T largest = -std::numeric_limits<T>::infinity(), sum = 0;
            for (std::int64_t s = 0; s < slots; ++s)
                largest = std::max(largest, row[s]);
            if (largest == -std::numeric_limits<T>::infinity()) {
                std::fill(row, row + slots, T(0));
                continue;
            }
            for (std::int64_t s = 0; s < slots; ++s)
                sum += row[s] = std::exp((row[s] - largest) * factor);
            for (std::int64_t s = 0; s < slots; ++s)
                row[s] /= sum;
        }
    });
}

template <class T>
void softmaxBackwardOf(const at::Tensor& weights, double scale, at::Tensor& grad) {
    const std::int64_t slots = grad.size(3), rows = grad.numel() / std::max<std::int64_t>(1, slots);
    const T* w = weights.const_data_ptr<T>();
    T* g = grad.mutable_data_ptr<T>();
    at::parallel_for(0, rows, kRows, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t i = begin * slots; i < end * slots; i += slots) {
            T shared = 0;
            for (std::int64_t s = i; s < i + slots; ++s)
                shared += w[s] != 0 ? w[s] * g[s] : T(0);
            for (std::int64_t s = i; s < i + slots; ++s)
                g[s] = w[s] != 0 ? static_cast<T>(scale) * w[s] * (g[s] - shared) : T(0);
        }
    });
}

} // namespace

void bandProducts(const at::Tensor& a, const at::Tensor& b, std::int64_t reach, const std::int64_t* lengths,
                  double empty, at::Tensor& band) {
    (a.scalar_type() == at::kDouble ? productsOf<double> : productsOf<float>)(a, b, reach, lengths, empty,
                                                                              band);
}

void bandTimesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                   const std::int64_t* lengths, at::Tensor& out) {
    (rows.scalar_type() == at::kDouble ? timesRows<double> : timesRows<float>)(band, rows, reach, lengths,
                                                                               out);
}

void transposedBandTimesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                             const std::int64_t* lengths, at::Tensor& out) {
    (rows.scalar_type() == at::kDouble ? transposedTimesRows<double>
                                       : transposedTimesRows<float>)(band, rows, reach, lengths, out);
}

void bandSoftmax(at::Tensor& band, double scale) {
    (band.scalar_type() == at::kDouble ? softmaxOf<double> : softmaxOf<float>)(band, scale);
}

void bandSoftmaxBackward(const at::Tensor& weights, double scale, at::Tensor& grad) {
    (grad.scalar_type() == at::kDouble ? softmaxBackwardOf<double> : softmaxBackwardOf<float>)(weights, scale,
                                                                                               grad);
}

} // namespace headroom::models
