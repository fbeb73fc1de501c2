// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp (models/CMakeLists.txt): the oracle runs inside every analysis, on its checked
// rows.
#include "models/kernels/contributions.h"

#include "models/kernels/pieces.h"
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

constexpr std::int64_t kLanes = 4, kRowsTogether = 4, kPiece = 2 * kLanes;
typedef double Lanes __attribute__((vector_size(kLanes * sizeof(double))));

struct ReferenceWork {
    std::int64_t heads, keys, width, rows, columns;
    const double* weights;       // [key, tile of kRowsTogether rows, head, row], 0 behind the last row
    const double* residual;      // [query, width]
    const double* none;          // [width], zeros
    const std::int64_t* queries; // of the rows
    bool ownColumn;              // the residual's
    double* out;                 // [row, column]

    std::int64_t tiles() const { return (rows + kRowsTogether - 1) / kRowsTogether; }
};

/// u of some keys, borrowed.
struct ReferenceKeys {
    const double* transformed; // [head, count, width]
    std::int64_t first, count;
};

/// A row's T_ij begins with the residual where i = j.
HEADROOM_INLINE const double* beginningOf(const ReferenceWork& w, std::int64_t row, std::int64_t j) {
    return row < w.rows && !w.ownColumn && w.queries[row] == j ? w.residual + j * w.width : w.none;
}

/// ‖T_ij‖² of a tile of rows for key j, T_ij written out, kPiece of its numbers at a time: they stay in registers for all heads.
HEADROOM_INLINE void squaresOf(const ReferenceWork& w, const ReferenceKeys& keys, std::int64_t tile, std::int64_t j,
                               double* squares) {
    const double* weights = w.weights + (j * w.tiles() + tile) * w.heads * kRowsTogether;
    const double* transformed = keys.transformed + (j - keys.first) * w.width;
    const std::int64_t stride = keys.count * w.width;
    const double* begin[kRowsTogether];
    for (std::int64_t r = 0; r < kRowsTogether; ++r)
        begin[r] = beginningOf(w, tile * kRowsTogether + r, j);
    Lanes sums[kRowsTogether] = {};
    std::int64_t d = 0;
    for (; d + kPiece <= w.width; d += kPiece) {
        Lanes low[kRowsTogether], high[kRowsTogether];
#pragma GCC unroll 4
        for (std::int64_t r = 0; r < kRowsTogether; ++r) {
            std::memcpy(&low[r], begin[r] + d, sizeof(Lanes));
            std::memcpy(&high[r], begin[r] + d + kLanes, sizeof(Lanes));
        }
        for (std::int64_t h = 0; h < w.heads; ++h) {
            Lanes u, v;
            std::memcpy(&u, transformed + h * stride + d, sizeof u);
            std::memcpy(&v, transformed + h * stride + d + kLanes, sizeof v);
#pragma GCC unroll 4
            for (std::int64_t r = 0; r < kRowsTogether; ++r) {
                const double weight = weights[h * kRowsTogether + r];
                low[r] += weight * u;
                high[r] += weight * v;
            }
        }
#pragma GCC unroll 4
        for (std::int64_t r = 0; r < kRowsTogether; ++r)
            sums[r] += low[r] * low[r] + high[r] * high[r];
    }
    for (std::int64_t r = 0; r < kRowsTogether; ++r) {
        squares[r] = (sums[r][0] + sums[r][1]) + (sums[r][2] + sums[r][3]);
        for (std::int64_t rest = d; rest < w.width; ++rest) {
            double t = begin[r][rest];
            for (std::int64_t h = 0; h < w.heads; ++h)
                t += weights[h * kRowsTogether + r] * transformed[h * stride + rest];
            squares[r] += t * t;
        }
    }
}

/// ‖T_ij‖ of all rows for these keys: u_j is in the nearest cache for all of them.
HEADROOM_VECTOR_CLONES void writeKeys(const ReferenceWork& w, const ReferenceKeys& keys) {
    for (std::int64_t j = keys.first; j < keys.first + keys.count; ++j)
        for (std::int64_t tile = 0; tile < w.tiles(); ++tile) {
            double squares[kRowsTogether];
            squaresOf(w, keys, tile, j, squares);
            const std::int64_t first = tile * kRowsTogether;
            for (std::int64_t r = 0; r < std::min(kRowsTogether, w.rows - first); ++r)
                w.out[(first + r) * w.columns + j] = std::sqrt(squares[r]);
        }
}

/// The weights in the order in which they are read; `attention` [head, row, key].
std::vector<double> weightsByKey(const double* attention, std::int64_t heads, std::int64_t rows, std::int64_t keys) {
    const std::int64_t tiles = (rows + kRowsTogether - 1) / kRowsTogether;
    std::vector<double> weights(static_cast<std::size_t>(keys * tiles * heads * kRowsTogether));
    for (std::int64_t h = 0; h < heads; ++h)
        for (std::int64_t row = 0; row < rows; ++row) {
            double* to = weights.data() + ((row / kRowsTogether) * heads + h) * kRowsTogether + row % kRowsTogether;
            for (std::int64_t j = 0; j < keys; ++j)
                to[j * tiles * heads * kRowsTogether] = attention[(h * rows + row) * keys + j];
        }
    return weights;
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
    const at::Tensor a = attention.to(at::kDouble).contiguous(); // [head, query, key]
    const at::Tensor x = residual.to(at::kDouble).contiguous();  // [query, width]
    const bool ownColumn = place == ResidualPlace::Column;
    const std::int64_t columns = keys + (ownColumn ? 1 : 0);
    Matrix<double> result(queries.size(), static_cast<std::size_t>(columns));
    const std::vector<double> weights = weightsByKey(a.const_data_ptr<double>(), a.size(0), a.size(1), keys);
    const std::vector<double> none(static_cast<std::size_t>(x.size(1)));
    const ReferenceWork work{a.size(0),
                             keys,
                             x.size(1),
                             a.size(1),
                             columns,
                             weights.data(),
                             x.const_data_ptr<double>(),
                             none.data(),
                             queries.data(),
                             ownColumn,
                             result.values().data()};
    inPieces(keys, [&](std::int64_t first, std::int64_t count) {
        const at::Tensor u = transformedOf(first, count).contiguous();
        writeKeys(work, {u.const_data_ptr<double>(), first, count});
    });
    for (std::int64_t row = 0; row < work.rows; ++row)
        finishRow(work, row);
    return result;
}

} // namespace headroom::models
