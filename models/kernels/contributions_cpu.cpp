// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp -fno-math-errno (models/CMakeLists.txt).
#include "models/kernels/contributions.h"

#include "models/kernels/contribution_keys.h"
#include "models/kernels/device_operators.h"
#include "models/kernels/pieces.h"
#include "models/kernels/vector_clones.h"

#include <ATen/core/Tensor.h>
#include <ATen/ops/bmm.h>
#include <ATen/Parallel.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>
#include <vector>

namespace headroom::models {
namespace {

using namespace fused;

/// ‖T_ij‖ for one query i and keys [begin, end), the diagonal still without its residual.
template <class T, int kHeads>
HEADROOM_INLINE void norms(const Work<T>& w, std::int64_t i, std::int64_t begin, std::int64_t end) {
    const T* map = w.attention + i * w.keys;
    const std::int64_t plane = w.queries * w.keys, keys = w.keys;
    const T* gram = w.gram;
    T* out = w.out + i * w.columns();
#pragma GCC ivdep
    for (std::int64_t j = begin; j < end; ++j) {
        T square = 0;
        std::int64_t pair = j;
#pragma GCC unroll 8
        for (int h = 0; h < kHeads; ++h) {
            T row = 0;
#pragma GCC unroll 8
            for (int g = h; g < kHeads; ++g, pair += keys)
                row += map[g * plane + j] * gram[pair];
            square += map[h * plane + j] * row;
        }
        out[j] = std::sqrt(square < 0 ? T(0) : square); // rounding may go below zero
    }
}

/// The same for any number of heads: kKeys keys at a time, whose sums stay in registers.
template <class T, int kKeys>
HEADROOM_INLINE void normsOfKeys(const Work<T>& w, const T* map, const T* gram, T* out) {
    const std::int64_t plane = w.queries * w.keys;
    T square[kKeys] = {};
    for (std::int64_t h = 0; h < w.heads; ++h) {
        T row[kKeys] = {};
        for (std::int64_t g = h; g < w.heads; ++g, gram += w.keys)
#pragma GCC unroll 64
            for (int c = 0; c < kKeys; ++c)
                row[c] += map[g * plane + c] * gram[c];
#pragma GCC unroll 64
        for (int c = 0; c < kKeys; ++c)
            square[c] += map[h * plane + c] * row[c];
    }
    for (int c = 0; c < kKeys; ++c)
        out[c] = std::sqrt(square[c] < 0 ? T(0) : square[c]);
}

template <class T>
HEADROOM_INLINE void normsOfAnyHeads(const Work<T>& w, std::int64_t i, std::int64_t begin, std::int64_t end) {
    constexpr int kKeys = 128 / sizeof(T);
    const T* map = w.attention + i * w.keys;
    T* out = w.out + i * w.columns();
    std::int64_t j = begin;
    for (; j + kKeys <= end; j += kKeys)
        normsOfKeys<T, kKeys>(w, map + j, w.gram + j, out + j);
    for (; j < end; ++j)
        normsOfKeys<T, 1>(w, map + j, w.gram + j, out + j);
}

/// The same for heads that as many registers hold: g++ 12 leaves a loop of so many products in scalars.
template <class T, int kHeads>
HEADROOM_INLINE void normsInVectors(const Work<T>& w, std::int64_t i, std::int64_t begin, std::int64_t end) {
    const T* map = w.attention + i * w.keys;
    const std::int64_t plane = w.queries * w.keys;
    T* out = w.out + i * w.columns();
    std::int64_t j = begin;
    for (; j + kSome<T> <= end; j += kSome<T>) {
        Some<T> weights[kHeads], square{};
#pragma GCC unroll 12
        for (int h = 0; h < kHeads; ++h)
            weights[h] = someFrom(map + h * plane + j);
        const T* gram = w.gram + j;
#pragma GCC unroll 12
        for (int h = 0; h < kHeads; ++h) {
            Some<T> row{};
#pragma GCC unroll 12
            for (int g = h; g < kHeads; ++g, gram += w.keys)
                row += weights[g] * someFrom(gram);
            square += weights[h] * row;
        }
        banded::store(square, out + j);
    }
    const std::int64_t vectors = j;
    for (; j < end; ++j)
        normsOfKeys<T, 1>(w, map + j, w.gram + j, out + j);
#pragma GCC ivdep
    for (j = begin; j < vectors; ++j)
        out[j] = std::sqrt(out[j] < 0 ? T(0) : out[j]);
}

/// ‖x_i‖
template <class T>
HEADROOM_INLINE T residualNorm(const Work<T>& w, std::int64_t i) {
    const T* x = w.residual + i * w.width;
    return static_cast<T>(std::sqrt(dot(x, x, w.width)));
}

/// ‖T_ij‖ of one query for keys [begin, end).
template <class T>
HEADROOM_INLINE void normsOfHeads(const Work<T>& w, std::int64_t i, std::int64_t begin, std::int64_t end) {
    switch (w.heads) {
    case 1:
        return norms<T, 1>(w, i, begin, end);
    case 2:
        return norms<T, 2>(w, i, begin, end);
    case 4:
        return norms<T, 4>(w, i, begin, end);
    case 8:
        return norms<T, 8>(w, i, begin, end);
    case 12:
        return normsInVectors<T, 12>(w, i, begin, end);
    default:
        return normsOfAnyHeads<T>(w, i, begin, end);
    }
}

template <class T>
HEADROOM_INLINE void rowsOf(const Work<T>& w, std::int64_t first, std::int64_t last, double* profile) {
    constexpr std::int64_t kGramBytes = 192 << 10,
                           kLeast = 64; // Gram rows stay in the second cache for all queries
    const std::int64_t pairs = w.heads * (w.heads + 1) / 2;
    const std::int64_t atOnce =
        std::max(kLeast, kGramBytes / (pairs * static_cast<std::int64_t>(sizeof(T))) / kLeast * kLeast);
    const auto beginOf = [&](std::int64_t i) {
        return w.ownColumn ? 0 : std::max<std::int64_t>(0, i - w.reach);
    };
    const auto endOf = [&](std::int64_t i) {
        return w.ownColumn ? w.keys : std::min(w.keys, i + w.reach + 1);
    };
    const std::int64_t from = first < last ? beginOf(first) : 0, to = first < last ? endOf(last - 1) : 0;
    for (std::int64_t j = from; j < to; j += atOnce)
        for (std::int64_t i = w.ownColumn ? first : std::max(first, j - w.reach);
             i < last && beginOf(i) < j + atOnce; ++i)
            normsOfHeads(w, i, std::max(j, beginOf(i)), std::min(j + atOnce, endOf(i)));
    for (std::int64_t i = first; i < last; ++i) {
        const std::int64_t begin = beginOf(i), end = endOf(i);
        T* out = w.out + i * w.columns();
        std::fill(out, out + begin, T(0));
        std::fill(out + end, out + w.keys, T(0));
        if (w.ownColumn)
            out[w.keys] = residualNorm(w, i);
        else
            out[i] = w.diagonal[i];
        const std::int64_t behind = w.ownColumn ? w.keys + 1 : end;

        double sum = 0;
#pragma omp simd reduction(+ : sum)
        for (std::int64_t j = begin; j < behind; ++j)
            sum += static_cast<double>(out[j]);
        const double scale = sum == 0 ? 0.0 : 1.0 / sum;
#pragma GCC ivdep
        for (std::int64_t j = begin; j < behind; ++j)
            out[j] = static_cast<T>(static_cast<double>(out[j]) * scale);
        if (!profile)
            continue;
        double* diagonals = profile + w.keys - 1 - i; // element j: the sum along j − i
#pragma GCC ivdep
        for (std::int64_t j = begin; j < end; ++j)
            diagonals[j] += static_cast<double>(out[j]);
    }
}

HEADROOM_VECTOR_CLONES void keysFloat(const Work<float>& w, const Keys<float>& k, std::int64_t b, std::int64_t e) {
    keysOf(w, k, b, e);
}
HEADROOM_VECTOR_CLONES void keysDouble(const Work<double>& w, const Keys<double>& k, std::int64_t b, std::int64_t e) {
    keysOf(w, k, b, e);
}
HEADROOM_VECTOR_CLONES void rowsFloat(const Work<float>& w, std::int64_t b, std::int64_t e, double* p) {
    rowsOf(w, b, e, p);
}
HEADROOM_VECTOR_CLONES void rowsDouble(const Work<double>& w, std::int64_t b, std::int64_t e, double* p) {
    rowsOf(w, b, e, p);
}
void keyBlock(const Work<float>& w, const Keys<float>& k, std::int64_t b, std::int64_t e) {
    keysFloat(w, k, b, e);
}
void keyBlock(const Work<double>& w, const Keys<double>& k, std::int64_t b, std::int64_t e) {
    keysDouble(w, k, b, e);
}
void rowBlock(const Work<float>& w, std::int64_t b, std::int64_t e, double* p) {
    rowsFloat(w, b, e, p);
}
void rowBlock(const Work<double>& w, std::int64_t b, std::int64_t e, double* p) {
    rowsDouble(w, b, e, p);
}

/// `wholeKeys`: u is there as a whole; else it is made in pieces.
template <class T>
void run(const at::Tensor& attention, const TransformedKeys& transformedOf, bool wholeKeys,
         const at::Tensor& residual, std::int64_t reach, ResidualPlace place, at::Tensor& out, double* profile) {
    const std::int64_t heads = attention.size(0), keys = attention.size(2), queries = residual.size(0);
    const std::int64_t width = residual.size(1);
    std::vector<T> gram(static_cast<std::size_t>(heads * (heads + 1) / 2 * keys));
    std::vector<T> diagonal(static_cast<std::size_t>(queries));
    const Work<T> work{heads, queries, keys, width, reach, attention.const_data_ptr<T>(), residual.const_data_ptr<T>(),
                       gram.data(), diagonal.data(), out.mutable_data_ptr<T>(), place == ResidualPlace::Column};
    const auto checkedKeys = [&](std::int64_t first, std::int64_t count) {
        at::Tensor u = transformedOf(first, count);
        if (u.dim() != 3 || u.size(0) != heads || u.size(1) != count || u.size(2) != width ||
            u.scalar_type() != attention.scalar_type() || !u.is_contiguous())
            throw std::logic_error("contributions: transformed values that do not belong to the map");
        return u;
    };
    if (wholeKeys) {
        const at::Tensor u = checkedKeys(0, keys);
        at::parallel_for(0, keys, 8, [&](std::int64_t begin, std::int64_t end) {
            keyBlock(work, {u.const_data_ptr<T>(), 0, keys}, begin, end);
        });
    } else {
        inPieces(keys, [&](std::int64_t first, std::int64_t count) {
            const at::Tensor u = checkedKeys(first, count);
            keyBlock(work, {u.const_data_ptr<T>(), first, count}, first, first + count);
        });
    }

    // A fixed number of blocks, each with its own sums, added in order: the profile does not depend on the
    // threads.
    constexpr std::int64_t kBlocks = 16;
    const std::int64_t diagonals = profile ? 2 * keys - 1 : 0, rows = (queries + kBlocks - 1) / kBlocks;
    std::vector<double> sums(static_cast<std::size_t>(kBlocks * diagonals));
    at::parallel_for(0, kBlocks, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t block = begin; block < end; ++block)
            rowBlock(work, std::min(queries, block * rows), std::min(queries, (block + 1) * rows),
                     profile ? sums.data() + block * diagonals : nullptr);
    });
    std::fill(profile, profile + diagonals, 0.0);
    for (std::int64_t block = 0; block < kBlocks; ++block)
        for (std::int64_t k = 0; k < diagonals; ++k)
            profile[k] += sums[static_cast<std::size_t>(block * diagonals + k)];
}

void run(const at::Tensor& attention, const TransformedKeys& transformedOf, bool wholeKeys,
         const at::Tensor& residual, std::int64_t reach, ResidualPlace place, at::Tensor& out, double* profile) {
    if (attention.scalar_type() == at::kFloat)
        run<float>(attention, transformedOf, wholeKeys, residual, reach, place, out, profile);
    else
        run<double>(attention, transformedOf, wholeKeys, residual, reach, place, out, profile);
}

/// Of one another's shapes and one type, contiguous.
bool belongTogether(const at::Tensor& attention, const at::Tensor& residual, const at::Tensor& out) {
    const at::ScalarType type = attention.scalar_type();
    return attention.dim() == 3 && residual.dim() == 2 && out.dim() == 2 &&
           attention.size(1) == residual.size(0) && out.size(0) == residual.size(0) &&
           residual.scalar_type() == type && out.scalar_type() == type && attention.is_contiguous() &&
           residual.is_contiguous() && out.is_contiguous();
}

/// u that is there as a whole, which is therefore read at once.
TransformedKeys whole(const at::Tensor& transformed) {
    return [&transformed](std::int64_t, std::int64_t) { return transformed; };
}

void onDiagonal(const at::Tensor& attention, const TransformedKeys& transformedOf, bool wholeKeys,
                const at::Tensor& residual, std::int64_t reach, at::Tensor& out, at::Tensor& profile) {
    const std::int64_t keys = attention.dim() == 3 ? attention.size(2) : 0;
    if (!belongTogether(attention, residual, out) || residual.size(0) > keys || out.size(1) != keys ||
        profile.numel() != 2 * keys - 1 || !profile.is_contiguous() || profile.scalar_type() != at::kDouble)
        throw std::logic_error("contributions: tensors that do not belong together");
    if (attention.is_cpu())
        return run(attention, transformedOf, wholeKeys, residual, reach, ResidualPlace::Diagonal, out,
                   profile.mutable_data_ptr<double>());
    const at::Tensor transformed = transformedOf(0, keys);
    if (hasDeviceKernels(attention))
        return device::contributions(attention, transformed, residual, reach, false, out, profile, std::nullopt);
    at::Tensor outHere = out.cpu(), profileHere = profile.cpu(); // the CPU's, and their numbers
    contributions(attention.cpu(), transformed.cpu(), residual.cpu(), reach, outHere, profileHere);
    out.copy_(outHere);
    profile.copy_(profileHere);
}

void besideKeys(const at::Tensor& attention, const TransformedKeys& transformedOf, bool wholeKeys,
                const at::Tensor& residual, at::Tensor& out) {
    const std::int64_t keys = attention.dim() == 3 ? attention.size(2) : 0;
    if (!belongTogether(attention, residual, out) || out.size(1) != keys + 1)
        throw std::logic_error("contributionsWithResidualColumn: tensors that do not belong together");
    if (attention.is_cpu())
        return run(attention, transformedOf, wholeKeys, residual, 0, ResidualPlace::Column, out, nullptr);
    const at::Tensor transformed = transformedOf(0, keys);
    if (hasDeviceKernels(attention))
        return device::contributions(attention, transformed, residual, 0, true, out, std::nullopt, std::nullopt);
    at::Tensor outHere = out.cpu();
    contributionsWithResidualColumn(attention.cpu(), transformed.cpu(), residual.cpu(), outHere);
    out.copy_(outHere);
}

} // namespace

at::Tensor transformedValues(const at::Tensor& values, const at::Tensor& outputWeight) {
    const std::int64_t heads = values.size(0), headWidth = values.size(2), width = outputWeight.size(0);
    const at::Tensor perHead =
        outputWeight.view({width, heads, headWidth}).permute({1, 2, 0}); // [head, headWidth, width]
    return at::bmm(values, perHead);                                     // [head, token, width]
}

void contributions(const at::Tensor& attention, const at::Tensor& transformed, const at::Tensor& residual,
                   std::int64_t reach, at::Tensor& out, at::Tensor& profile) {
    onDiagonal(attention, whole(transformed), true, residual, reach, out, profile);
}

void contributions(const at::Tensor& attention, const TransformedKeys& transformedOf, const at::Tensor& residual,
                   std::int64_t reach, at::Tensor& out, at::Tensor& profile) {
    onDiagonal(attention, transformedOf, false, residual, reach, out, profile);
}

void contributionsWithResidualColumn(const at::Tensor& attention, const at::Tensor& transformed,
                                     const at::Tensor& residual, at::Tensor& out) {
    besideKeys(attention, whole(transformed), true, residual, out);
}

void contributionsWithResidualColumn(const at::Tensor& attention, const TransformedKeys& transformedOf,
                                     const at::Tensor& residual, at::Tensor& out) {
    besideKeys(attention, transformedOf, false, residual, out);
}

} // namespace headroom::models
