// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp (models/CMakeLists.txt): the oracle runs inside every analysis, on its checked
// rows.
#include "models/kernels/contributions.h"

#include "models/kernels/vector_clones.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/einsum.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace headroom::models {

namespace {

struct ReferenceWork {
    std::int64_t heads, keys, width, rows, columns;
    const double* attention;   // [head, row, key]
    const double* transformed; // [head, keys from `first` on, width]
    std::int64_t first, count; // which keys these are
    const double* residual;    // [query, width]
    const std::int64_t* queries; // of the rows
    bool ownColumn;            // the residual's
    double* out;               // [row, column]
};

constexpr std::int64_t kLanes = 4, kVectors = 8, kPiece = kLanes * kVectors;
typedef double Lanes __attribute__((vector_size(kLanes * sizeof(double))));

/// t += Σ_h A^h_ij u^h_j, of kPiece numbers of it, which stay in registers.
HEADROOM_INLINE void addHeads(const ReferenceWork& w, const double* weights, const double* transformed, double* t) {
    Lanes sums[kVectors];
    std::memcpy(sums, t, sizeof sums);
    for (std::int64_t h = 0; h < w.heads; ++h) {
        const double weight = weights[h * w.rows * w.keys];
        const double* u = transformed + h * w.count * w.width;
#pragma GCC unroll 8
        for (std::int64_t v = 0; v < kVectors; ++v) {
            Lanes some;
            std::memcpy(&some, u + v * kLanes, sizeof some);
            sums[v] += weight * some;
        }
    }
    std::memcpy(t, sums, sizeof sums);
}

/// The same of the last `count` numbers, fewer than kPiece.
HEADROOM_INLINE void addHeadsToRest(const ReferenceWork& w, const double* weights, const double* transformed,
                                    std::int64_t count, double* t) {
    for (std::int64_t h = 0; h < w.heads; ++h)
        for (std::int64_t d = 0; d < count; ++d)
            t[d] += weights[h * w.rows * w.keys] * transformed[h * w.count * w.width + d];
}

/// ‖T_ij‖ of all rows for keys [begin, end), T_ij written out, kPiece of its numbers at a time: these stay in registers
/// for all heads, and u_j is read from memory once for all rows.
HEADROOM_VECTOR_CLONES void writeKeys(const ReferenceWork& w, std::int64_t begin, std::int64_t end) {
    std::vector<double> squares(static_cast<std::size_t>(w.rows));
    for (std::int64_t j = begin; j < end; ++j) {
        std::fill(squares.begin(), squares.end(), 0.0);
        for (std::int64_t first = 0; first < w.width; first += kPiece) {
            const std::int64_t count = std::min(kPiece, w.width - first);
            for (std::int64_t row = 0; row < w.rows; ++row) {
                const std::int64_t i = w.queries[row];
                double t[kPiece] = {}; // T_ij
                if (i == j && !w.ownColumn)
                    std::copy_n(w.residual + i * w.width + first, count, t);
                const double* weights = w.attention + row * w.keys + j;
                const double* transformed = w.transformed + (j - w.first) * w.width + first;
                if (count == kPiece)
                    addHeads(w, weights, transformed, t);
                else
                    addHeadsToRest(w, weights, transformed, count, t);
                double square = 0;
#pragma omp simd reduction(+ : square)
                for (std::int64_t d = 0; d < kPiece; ++d)
                    square += t[d] * t[d];
                squares[static_cast<std::size_t>(row)] += square;
            }
        }
        for (std::int64_t row = 0; row < w.rows; ++row)
            w.out[row * w.columns + j] = std::sqrt(squares[static_cast<std::size_t>(row)]);
    }
}

/// The residual's column where it has one; then the row made to sum to 1.
void finishRow(const ReferenceWork& w, std::int64_t row) {
    double* out = w.out + row * w.columns;
    if (w.ownColumn) {
        const double* x = w.residual + w.queries[row] * w.width;
        double square = 0;
        for (std::int64_t d = 0; d < w.width; ++d)
            square += x[d] * x[d];
        out[w.keys] = std::sqrt(square);
    }
    double sum = 0;
    for (std::int64_t j = 0; j < w.columns; ++j)
        sum += out[j];
    if (sum != 0)
        for (std::int64_t j = 0; j < w.columns; ++j)
            out[j] /= sum;
}

} // namespace

at::Tensor contributionsMaterialised(const at::Tensor& attention, const at::Tensor& transformed,
                                     const at::Tensor& residual) {
    at::Tensor terms = at::einsum("hij,hjd->ijd", {attention, transformed}); // [query, key, width]
    terms.diagonal(0, 0, 1).add_(residual.t());                              // [width, token]
    const at::Tensor norms = terms.norm(2, -1);                              // [query, key]
    return norms.div(norms.sum(-1, true));
}

Matrix<double> referenceContributions(const at::Tensor& attention, const at::Tensor& values,
                                      const at::Tensor& outputWeight, const at::Tensor& residual,
                                      std::span<const std::int64_t> queries) {
    const at::Tensor u = transformedValues(values.to(at::kDouble), outputWeight.to(at::kDouble));
    return referenceContributions(attention, u, residual, ResidualPlace::Diagonal, queries);
}

Matrix<double> referenceContributions(const at::Tensor& attention, const at::Tensor& transformed,
                                      const at::Tensor& residual, ResidualPlace place,
                                      std::span<const std::int64_t> queries) {
    const at::Tensor u = transformed.to(at::kDouble); // [head, key, width]
    return referenceContributions(
        attention, u.size(1), [&](std::int64_t first, std::int64_t count) { return u.narrow(1, first, count); }, residual,
        place, queries);
}

Matrix<double> referenceContributions(const at::Tensor& attention, std::int64_t keys,
                                      const TransformedKeys& transformedOf, const at::Tensor& residual,
                                      ResidualPlace place, std::span<const std::int64_t> queries) {
    constexpr std::int64_t kKeysAtOnce = 64; // u of all heads stays in the cache
    const at::Tensor a = attention.to(at::kDouble).contiguous(); // [head, query, key]
    const at::Tensor x = residual.to(at::kDouble).contiguous();  // [query, width]
    const bool ownColumn = place == ResidualPlace::Column;
    const std::int64_t columns = keys + (ownColumn ? 1 : 0);
    Matrix<double> result(queries.size(), static_cast<std::size_t>(columns));
    ReferenceWork work{a.size(0),
                       keys,
                       x.size(1),
                       a.size(1),
                       columns,
                       a.const_data_ptr<double>(),
                       nullptr,
                       0,
                       0,
                       x.const_data_ptr<double>(),
                       queries.data(),
                       ownColumn,
                       result.values().data()};
    for (std::int64_t first = 0; first < keys; first += kKeysAtOnce) {
        const std::int64_t count = std::min(kKeysAtOnce, keys - first);
        const at::Tensor u = transformedOf(first, count).contiguous();
        work.transformed = u.const_data_ptr<double>();
        work.first = first;
        work.count = count;
        at::parallel_for(first, first + count, 8,
                         [&](std::int64_t begin, std::int64_t end) { writeKeys(work, begin, end); });
    }
    for (std::int64_t row = 0; row < work.rows; ++row)
        finishRow(work, row);
    return result;
}

} // namespace headroom::models
