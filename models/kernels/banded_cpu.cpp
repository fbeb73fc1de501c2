// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp -fno-math-errno (models/CMakeLists.txt).
#include "models/kernels/banded_kernels.h"
#include "models/kernels/banded_pieces.h"
#include "models/kernels/device_operators.h"

#include <ATen/core/Tensor.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <vector>

namespace headroom::models {
namespace {

using namespace banded;

/// One piece of work: some rows of one head.
struct Piece {
    std::int64_t batch, head, first, last;
    std::int64_t keys; ///< of this recording
};

/// The head of a [batch, head, token, width] view.
template <class T>
Rows<const T> headOf(const at::Tensor& x, const Piece& piece) {
    return {x.const_data_ptr<T>() + piece.batch * x.stride(0) + piece.head * x.stride(1), x.stride(2)};
}
template <class T>
Rows<T> headToWrite(const at::Tensor& x, const Piece& piece) {
    return {x.mutable_data_ptr<T>() + piece.batch * x.stride(0) + piece.head * x.stride(1), x.stride(2)};
}

constexpr std::int64_t kRows = 96; ///< of a piece, whoever does it: results do not depend on the threads

/// Calls work(piece, room) for all rows of x [batch, head, token, width]; makeRoom() gives a thread its room.
template <class MakeRoom, class Work>
void forEveryPiece(const at::Tensor& x, std::int64_t reach, const std::int64_t* lengths,
                   const MakeRoom& makeRoom, const Work& work) {
    const std::int64_t heads = x.size(1), tokens = x.size(2), blocks = (tokens + kRows - 1) / kRows;
    // Waking a thread costs as much as some hundred thousand multiplications.
    const std::int64_t cost = std::min(kRows, tokens) * std::min(2 * reach + 1, tokens) * x.size(3);
    const std::int64_t grain = std::max<std::int64_t>(1, 250'000 / std::max<std::int64_t>(1, cost));
    at::parallel_for(0, x.size(0) * heads * blocks, grain, [&](std::int64_t begin, std::int64_t end) {
        auto room = makeRoom();
        for (std::int64_t item = begin; item < end; ++item) {
            const std::int64_t first = item % blocks * kRows, head = item / blocks, batch = head / heads;
            work(Piece{batch, head % heads, first, std::min(tokens, first + kRows),
                       lengths ? lengths[batch] : tokens},
                 room);
        }
    });
}

HEADROOM_VECTOR_CLONES void productsFloat(const ProductsPiece<float>& p, ProductsRoom<float>& room) {
    run(p, room);
}
HEADROOM_VECTOR_CLONES void productsDouble(const ProductsPiece<double>& p, ProductsRoom<double>& room) {
    run(p, room);
}
HEADROOM_VECTOR_CLONES void rowsFloat(const RowsPiece<float>& p) {
    run(p);
}
HEADROOM_VECTOR_CLONES void rowsDouble(const RowsPiece<double>& p) {
    run(p);
}
HEADROOM_VECTOR_CLONES void softmaxFloat(const SoftmaxPiece<float>& p) {
    run(p);
}
HEADROOM_VECTOR_CLONES void softmaxDouble(const SoftmaxPiece<double>& p) {
    run(p);
}
HEADROOM_VECTOR_CLONES void softmaxBackwardFloat(const SoftmaxPiece<float>& p, const float* weights) {
    runBackward(p, weights);
}
HEADROOM_VECTOR_CLONES void softmaxBackwardDouble(const SoftmaxPiece<double>& p, const double* weights) {
    runBackward(p, weights);
}

void productsOf(const ProductsPiece<float>& p, ProductsRoom<float>& room) {
    productsFloat(p, room);
}
void productsOf(const ProductsPiece<double>& p, ProductsRoom<double>& room) {
    productsDouble(p, room);
}
void rowsOf(const RowsPiece<float>& p) {
    rowsFloat(p);
}
void rowsOf(const RowsPiece<double>& p) {
    rowsDouble(p);
}
void softmaxOf(const SoftmaxPiece<float>& p) {
    softmaxFloat(p);
}
void softmaxOf(const SoftmaxPiece<double>& p) {
    softmaxDouble(p);
}
void softmaxBackwardOf(const SoftmaxPiece<float>& p, const float* weights) {
    softmaxBackwardFloat(p, weights);
}
void softmaxBackwardOf(const SoftmaxPiece<double>& p, const double* weights) {
    softmaxBackwardDouble(p, weights);
}

/// The softmax of a piece, whose slots are known.
template <class T>
SoftmaxPiece<T> softmaxPiece(T* rows, const Piece& piece, std::int64_t reach, double scale) {
    return {
        rows,      piece.last - piece.first, 2 * reach + 1, static_cast<T>(scale), true, piece.first, reach,
        piece.keys};
}

/// Rows [first, last) of out = band · rows; `bandRow` is row `first` of the band.
template <class T>
void plainRows(const T* bandRow, const at::Tensor& rows, const Piece& piece, std::int64_t reach,
               const at::Tensor& out) {
    rowsOf(RowsPiece<T>{Band<T>::plain(bandRow, reach), headOf<T>(rows, piece), piece.first, piece.last,
                        reach, piece.keys, rows.size(3), headToWrite<T>(out, piece)});
}

/// The same of the transposed band.
template <class T>
void turnedRows(const at::Tensor& band, const at::Tensor& rows, const Piece& piece, std::int64_t reach,
                const at::Tensor& out) {
    const auto to = headToWrite<T>(out, piece);
    const std::int64_t last = std::clamp(piece.keys, piece.first, piece.last), width = rows.size(3);
    rowsOf(RowsPiece<T>{Band<T>::transposed(headOf<T>(band, piece).data, piece.first, reach),
                        headOf<T>(rows, piece), piece.first, last, reach, rows.size(2), width, to});
    for (std::int64_t j = last; j < piece.last; ++j)
        std::fill(to.row(j), to.row(j) + width, T(0));
}

struct NoRoom {};
const auto noRoom = [] { return NoRoom{}; };

template <class T>
void bandProductsOf(const at::Tensor& a, const at::Tensor& b, std::int64_t reach, const std::int64_t* lengths,
                    double empty, at::Tensor& band) {
    const std::int64_t width = a.size(3);
    forEveryPiece(
        a, reach, lengths, [&] { return ProductsRoom<T>(width); },
        [&](const Piece& piece, ProductsRoom<T>& room) {
            productsOf(ProductsPiece<T>{headOf<T>(a, piece), headOf<T>(b, piece), piece.first, piece.last,
                                        reach, piece.keys, width, static_cast<T>(empty),
                                        headToWrite<T>(band, piece).row(piece.first)},
                       room);
        });
}

template <class T>
void bandTimesRowsOf(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                     const std::int64_t* lengths, at::Tensor& out) {
    forEveryPiece(rows, reach, lengths, noRoom, [&](const Piece& piece, NoRoom) {
        plainRows<T>(headOf<T>(band, piece).row(piece.first), rows, piece, reach, out);
    });
}

template <class T>
void transposedBandTimesRowsOf(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                               const std::int64_t* lengths, at::Tensor& out) {
    forEveryPiece(rows, reach, lengths, noRoom,
                  [&](const Piece& piece, NoRoom) { turnedRows<T>(band, rows, piece, reach, out); });
}

template <class T>
void bandSoftmaxOf(at::Tensor& band, double scale) {
    const std::int64_t slots = band.size(3);
    T* data = band.mutable_data_ptr<T>();
    at::parallel_for(0, band.numel() / slots, 20'000 / slots + 1, [&](std::int64_t begin, std::int64_t end) {
        softmaxOf(SoftmaxPiece<T>{data + begin * slots, end - begin, slots, static_cast<T>(scale)});
    });
}

template <class T>
void bandSoftmaxBackwardOf(const at::Tensor& weights, double scale, at::Tensor& grad) {
    const std::int64_t slots = grad.size(3);
    const T* w = weights.const_data_ptr<T>();
    T* g = grad.mutable_data_ptr<T>();
    at::parallel_for(0, grad.numel() / slots, 20'000 / slots + 1, [&](std::int64_t begin, std::int64_t end) {
        softmaxBackwardOf(SoftmaxPiece<T>{g + begin * slots, end - begin, slots, static_cast<T>(scale)},
                          w + begin * slots);
    });
}

template <class T>
struct AttentionRoom {
    ProductsRoom<T> products;
    std::vector<T> weights;
};

template <class T>
void bandAttentionOf(const BandInputs& in, at::Tensor* weights, at::Tensor& out) {
    const std::int64_t width = in.q.size(3), slots = 2 * in.reach + 1;
    forEveryPiece(
        in.q, in.reach, in.lengths,
        [&] {
            return AttentionRoom<T>{ProductsRoom<T>(width),
                                    std::vector<T>(static_cast<std::size_t>(weights ? 0 : kRows * slots))};
        },
        [&](const Piece& piece, AttentionRoom<T>& room) {
            T* band = weights ? headToWrite<T>(*weights, piece).row(piece.first) : room.weights.data();
            productsOf(ProductsPiece<T>{headOf<T>(in.q, piece), headOf<T>(in.k, piece), piece.first,
                                        piece.last, in.reach, piece.keys, width, kNothing<T>, band},
                       room.products);
            softmaxOf(softmaxPiece(band, piece, in.reach, in.scale));
            plainRows<T>(band, in.v, piece, in.reach, out);
        });
}

template <class T>
void bandAttentionBackwardOf(const BandInputs& in, const at::Tensor& weights, const at::Tensor& gradOut,
                             at::Tensor& band, BandGradients& grads) {
    const std::int64_t valueWidth = in.v.size(3);
    forEveryPiece(
        in.q, in.reach, in.lengths, [&] { return ProductsRoom<T>(valueWidth); },
        [&](const Piece& piece, ProductsRoom<T>& room) {
            T* grad = headToWrite<T>(band, piece).row(piece.first);
            productsOf(ProductsPiece<T>{headOf<T>(gradOut, piece), headOf<T>(in.v, piece), piece.first,
                                        piece.last, in.reach, piece.keys, valueWidth, T(0), grad},
                       room);
            softmaxBackwardOf(softmaxPiece(grad, piece, in.reach, in.scale),
                              headOf<T>(weights, piece).row(piece.first));
            plainRows<T>(grad, in.k, piece, in.reach, grads.q);
        });
    forEveryPiece(in.q, in.reach, in.lengths, noRoom, [&](const Piece& piece, NoRoom) {
        turnedRows<T>(band, in.q, piece, in.reach, grads.k);
        turnedRows<T>(weights, gradOut, piece, in.reach, grads.v);
    });
}

bool isDouble(const at::Tensor& x) {
    return x.scalar_type() == at::kDouble;
}

} // namespace

void bandProducts(const at::Tensor& a, const at::Tensor& b, std::int64_t reach, const std::int64_t* lengths,
                  double empty, at::Tensor& band) {
    if (!a.is_cpu())
        return device::bandProducts(a, b, reach, lengths, empty, band);
    (isDouble(a) ? bandProductsOf<double> : bandProductsOf<float>)(a, b, reach, lengths, empty, band);
}

void bandTimesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                   const std::int64_t* lengths, at::Tensor& out) {
    if (!rows.is_cpu())
        return device::bandTimesRows(band, rows, reach, lengths, false, out);
    (isDouble(rows) ? bandTimesRowsOf<double> : bandTimesRowsOf<float>)(band, rows, reach, lengths, out);
}

void transposedBandTimesRows(const at::Tensor& band, const at::Tensor& rows, std::int64_t reach,
                             const std::int64_t* lengths, at::Tensor& out) {
    if (!rows.is_cpu())
        return device::bandTimesRows(band, rows, reach, lengths, true, out);
    (isDouble(rows) ? transposedBandTimesRowsOf<double> : transposedBandTimesRowsOf<float>)(band, rows, reach,
                                                                                            lengths, out);
}

void bandSoftmax(at::Tensor& band, double scale) {
    if (!band.is_cpu())
        return device::bandSoftmax(band, scale);
    (isDouble(band) ? bandSoftmaxOf<double> : bandSoftmaxOf<float>)(band, scale);
}

void bandSoftmaxBackward(const at::Tensor& weights, double scale, at::Tensor& grad) {
    if (!grad.is_cpu())
        return device::bandSoftmaxBackward(weights, scale, grad);
    (isDouble(grad) ? bandSoftmaxBackwardOf<double> : bandSoftmaxBackwardOf<float>)(weights, scale, grad);
}

void bandAttention(const BandInputs& inputs, at::Tensor* weights, at::Tensor& out) {
    if (!inputs.q.is_cpu())
        return device::bandAttention(inputs, weights, out);
    (isDouble(inputs.q) ? bandAttentionOf<double> : bandAttentionOf<float>)(inputs, weights, out);
}

void bandAttentionBackward(const BandInputs& inputs, const at::Tensor& weights, const at::Tensor& gradOut,
                           at::Tensor& band, BandGradients& grads) {
    if (!inputs.q.is_cpu())
        return device::bandAttentionBackward(inputs, weights, gradOut, band, grads);
    (isDouble(inputs.q) ? bandAttentionBackwardOf<double>
                        : bandAttentionBackwardOf<float>)(inputs, weights, gradOut, band, grads);
}

} // namespace headroom::models
