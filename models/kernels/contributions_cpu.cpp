// SPDX-License-Identifier: GPL-3.0-or-later
// Compiled with -O3 -fopenmp -fno-math-errno (models/CMakeLists.txt).
#include "models/kernels/contributions.h"

#include "models/kernels/device_operators.h"
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

/// One layer's work, borrowed. Pairs (h, g ≥ h) of the symmetric Gram matrix lie one after the other, each a
/// row over j; pairs with g > h stand for two and are doubled.
template <class T>
struct Work {
    std::int64_t heads, queries, keys, width, reach;
    const T* attention;   // [head, query, key]
    const T* transformed; // [head, key, width]
    const T* residual;    // [query, width]
    T* gram;              // [pair, key]
    T* out;               // [query, column]
    bool ownColumn;       // the residual's, behind the keys; else it joins the diagonal

    std::int64_t columns() const { return keys + (ownColumn ? 1 : 0); }
};

template <class T>
HEADROOM_INLINE double dot(const T* a, const T* b, std::int64_t n) {
    double sum = 0;
#pragma omp simd reduction(+ : sum)
    for (std::int64_t d = 0; d < n; ++d)
        sum += static_cast<double>(a[d]) * static_cast<double>(b[d]);
    return sum;
}

template <class T>
HEADROOM_INLINE void gramOf(const Work<T>& w, std::int64_t begin, std::int64_t end) {
    for (std::int64_t j = begin; j < end; ++j) {
        std::int64_t pair = 0;
        for (std::int64_t h = 0; h < w.heads; ++h)
            for (std::int64_t g = h; g < w.heads; ++g, ++pair) {
                const double product = dot(w.transformed + (h * w.keys + j) * w.width,
                                           w.transformed + (g * w.keys + j) * w.width, w.width);
                w.gram[pair * w.keys + j] = static_cast<T>(g == h ? product : 2 * product);
            }
    }
}

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

/// ‖x_i‖
template <class T>
HEADROOM_INLINE T residualNorm(const Work<T>& w, std::int64_t i) {
    const T* x = w.residual + i * w.width;
    return static_cast<T>(std::sqrt(dot(x, x, w.width)));
}

/// ‖T_ii‖ with the residual, written out: here heads and residual may cancel, and it is one vector per row.
template <class T>
HEADROOM_INLINE T diagonalNorm(const Work<T>& w, std::int64_t i) {
    double square = 0;
    for (std::int64_t d = 0; d < w.width; ++d) {
        double value = w.residual[i * w.width + d];
        for (std::int64_t h = 0; h < w.heads; ++h)
            value += static_cast<double>(w.attention[(h * w.queries + i) * w.keys + i]) *
                     static_cast<double>(w.transformed[(h * w.keys + i) * w.width + d]);
        square += value * value;
    }
    return static_cast<T>(std::sqrt(square));
}

template <class T>
HEADROOM_INLINE void rowsOf(const Work<T>& w, std::int64_t first, std::int64_t last, double* profile) {
    for (std::int64_t i = first; i < last; ++i) {
        const std::int64_t begin = w.ownColumn ? 0 : std::max<std::int64_t>(0, i - w.reach);
        const std::int64_t end = w.ownColumn ? w.keys : std::min(w.keys, i + w.reach + 1);
        T* out = w.out + i * w.columns();
        std::fill(out, out + begin, T(0));
        std::fill(out + end, out + w.keys, T(0));
        switch (w.heads) {
        case 1:
            norms<T, 1>(w, i, begin, end);
            break;
        case 2:
            norms<T, 2>(w, i, begin, end);
            break;
        case 4:
            norms<T, 4>(w, i, begin, end);
            break;
        case 8:
            norms<T, 8>(w, i, begin, end);
            break;
        default:
            normsOfAnyHeads<T>(w, i, begin, end);
        }
        if (w.ownColumn)
            out[w.keys] = residualNorm(w, i);
        else
            out[i] = diagonalNorm(w, i);
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

HEADROOM_VECTOR_CLONES void gramFloat(const Work<float>& w, std::int64_t b, std::int64_t e) {
    gramOf(w, b, e);
}
HEADROOM_VECTOR_CLONES void gramDouble(const Work<double>& w, std::int64_t b, std::int64_t e) {
    gramOf(w, b, e);
}
HEADROOM_VECTOR_CLONES void rowsFloat(const Work<float>& w, std::int64_t b, std::int64_t e, double* p) {
    rowsOf(w, b, e, p);
}
HEADROOM_VECTOR_CLONES void rowsDouble(const Work<double>& w, std::int64_t b, std::int64_t e, double* p) {
    rowsOf(w, b, e, p);
}
void gramBlock(const Work<float>& w, std::int64_t b, std::int64_t e) {
    gramFloat(w, b, e);
}
void gramBlock(const Work<double>& w, std::int64_t b, std::int64_t e) {
    gramDouble(w, b, e);
}
void rowBlock(const Work<float>& w, std::int64_t b, std::int64_t e, double* p) {
    rowsFloat(w, b, e, p);
}
void rowBlock(const Work<double>& w, std::int64_t b, std::int64_t e, double* p) {
    rowsDouble(w, b, e, p);
}

template <class T>
void run(const at::Tensor& attention, const at::Tensor& transformed, const at::Tensor& residual,
         std::int64_t reach, ResidualPlace place, at::Tensor& out, double* profile) {
    const std::int64_t heads = transformed.size(0), keys = transformed.size(1), queries = residual.size(0);
    std::vector<T> gram(static_cast<std::size_t>(heads * (heads + 1) / 2 * keys));
    const Work<T> work{heads,
                       queries,
                       keys,
                       transformed.size(2),
                       reach,
                       attention.const_data_ptr<T>(),
                       transformed.const_data_ptr<T>(),
                       residual.const_data_ptr<T>(),
                       gram.data(),
                       out.mutable_data_ptr<T>(),
                       place == ResidualPlace::Column};
    at::parallel_for(0, keys, 64, [&](std::int64_t begin, std::int64_t end) { gramBlock(work, begin, end); });

    // A fixed number of blocks, each with its own sums, added in order: the profile does not depend on the
    // threads.
    constexpr std::int64_t kBlocks = 16;
    const std::int64_t diagonals = profile ? 2 * keys - 1 : 0, step = (queries + kBlocks - 1) / kBlocks;
    std::vector<double> sums(static_cast<std::size_t>(kBlocks * diagonals));
    at::parallel_for(0, kBlocks, 1, [&](std::int64_t begin, std::int64_t end) {
        for (std::int64_t block = begin; block < end; ++block)
            rowBlock(work, std::min(queries, block * step), std::min(queries, (block + 1) * step),
                     profile ? sums.data() + block * diagonals : nullptr);
    });
    std::fill(profile, profile + diagonals, 0.0);
    for (std::int64_t block = 0; block < kBlocks; ++block)
        for (std::int64_t k = 0; k < diagonals; ++k)
            profile[k] += sums[static_cast<std::size_t>(block * diagonals + k)];
}

void run(const at::Tensor& attention, const at::Tensor& transformed, const at::Tensor& residual,
         std::int64_t reach, ResidualPlace place, at::Tensor& out, double* profile) {
    if (attention.scalar_type() == at::kFloat)
        run<float>(attention, transformed, residual, reach, place, out, profile);
    else
        run<double>(attention, transformed, residual, reach, place, out, profile);
}

/// Of one another's shapes and one type, contiguous.
bool belongTogether(const at::Tensor& attention, const at::Tensor& transformed, const at::Tensor& residual,
                    const at::Tensor& out) {
    const at::ScalarType type = attention.scalar_type();
    return attention.dim() == 3 && transformed.dim() == 3 && residual.dim() == 2 && out.dim() == 2 &&
           attention.size(0) == transformed.size(0) && attention.size(1) == residual.size(0) &&
           attention.size(2) == transformed.size(1) && residual.size(1) == transformed.size(2) &&
           out.size(0) == residual.size(0) && transformed.scalar_type() == type &&
           residual.scalar_type() == type && out.scalar_type() == type && attention.is_contiguous() &&
           transformed.is_contiguous() && residual.is_contiguous() && out.is_contiguous();
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
    const std::int64_t tokens = transformed.size(1);
    if (!belongTogether(attention, transformed, residual, out) || residual.size(0) > tokens ||
        out.size(1) != tokens || profile.numel() != 2 * tokens - 1 || !profile.is_contiguous() ||
        profile.scalar_type() != at::kDouble)
        throw std::logic_error("contributions: tensors that do not belong together");
    if (!attention.is_cpu() && !hasDeviceKernels(attention)) { // the CPU's, and their numbers
        at::Tensor outHere = out.cpu(), profileHere = profile.cpu();
        contributions(attention.cpu(), transformed.cpu(), residual.cpu(), reach, outHere, profileHere);
        out.copy_(outHere);
        profile.copy_(profileHere);
        return;
    }
    if (!attention.is_cpu())
        return device::contributions(attention, transformed, residual, reach, false, out, profile, std::nullopt);
    run(attention, transformed, residual, reach, ResidualPlace::Diagonal, out,
        profile.mutable_data_ptr<double>());
}

void contributionsWithResidualColumn(const at::Tensor& attention, const at::Tensor& transformed,
                                     const at::Tensor& residual, at::Tensor& out) {
    if (!belongTogether(attention, transformed, residual, out) || out.size(1) != transformed.size(1) + 1)
        throw std::logic_error("contributionsWithResidualColumn: tensors that do not belong together");
    if (!attention.is_cpu() && !hasDeviceKernels(attention)) {
        at::Tensor outHere = out.cpu();
        contributionsWithResidualColumn(attention.cpu(), transformed.cpu(), residual.cpu(), outHere);
        out.copy_(outHere);
        return;
    }
    if (!attention.is_cpu())
        return device::contributions(attention, transformed, residual, 0, true, out, std::nullopt, std::nullopt);
    run(attention, transformed, residual, 0, ResidualPlace::Column, out, nullptr);
}

} // namespace headroom::models
