// SPDX-License-Identifier: GPL-3.0-or-later
// No #pragma once: the body of kernels_portable.cpp and kernels_avx2.cpp, each of which names
// HEADROOM_KERNELS, the namespace of its own copy. See kernels.h.

#include "core/features/kernels.h"

namespace headroom::lanes::HEADROOM_KERNELS {

// Vectors go by reference: by value their calling convention depends on the instruction set.
#define HEADROOM_INLINE static inline __attribute__((always_inline))

using Lanes = float __attribute__((vector_size(4 * kLanes)));
using IntLanes = int __attribute__((vector_size(4 * kLanes)));

/// Eight rows of eight become eight columns, in place.
HEADROOM_INLINE void transpose(Lanes* m) {
    Lanes t[kLanes];
#pragma GCC unroll 4
    for (int i = 0; i < kLanes; i += 2) {
        t[i] = __builtin_shufflevector(m[i], m[i + 1], 0, 8, 1, 9, 4, 12, 5, 13);
        t[i + 1] = __builtin_shufflevector(m[i], m[i + 1], 2, 10, 3, 11, 6, 14, 7, 15);
    }
    Lanes u[kLanes];
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        const int at = 4 * (i / 2) + i % 2;
        u[2 * i] = __builtin_shufflevector(t[at], t[at + 2], 0, 1, 8, 9, 4, 5, 12, 13);
        u[2 * i + 1] = __builtin_shufflevector(t[at], t[at + 2], 2, 3, 10, 11, 6, 7, 14, 15);
    }
#pragma GCC unroll 4
    for (int i = 0; i < 4; ++i) {
        m[i] = __builtin_shufflevector(u[i], u[i + 4], 0, 1, 2, 3, 8, 9, 10, 11);
        m[i + 4] = __builtin_shufflevector(u[i], u[i + 4], 4, 5, 6, 7, 12, 13, 14, 15);
    }
}

/// Natural logarithm of positive normal numbers, within 2 units in the last place (Cephes' logf). Infinity
/// and NaN pass through.
HEADROOM_INLINE void logarithm(Lanes& x) {
    const IntLanes bits = __builtin_bit_cast(IntLanes, x);
    // Exponent and mantissa such that sqrt(1/2) <= m < sqrt(2): subtracting the bits of sqrt(1/2) moves the
    // border.
    const IntLanes exponent = (bits - 0x3f3504f3) >> 23;
    const IntLanes mantissa = bits - (exponent << 23);
    const Lanes m = __builtin_bit_cast(Lanes, mantissa) - 1.0F;
    const Lanes e = __builtin_convertvector(exponent, Lanes);
    Lanes y = m * 7.0376836292e-2F - 1.1514610310e-1F;
    y = y * m + 1.1676998740e-1F;
    y = y * m - 1.2420140846e-1F;
    y = y * m + 1.4249322787e-1F;
    y = y * m - 1.6668057665e-1F;
    y = y * m + 2.0000714765e-1F;
    y = y * m - 2.4999993993e-1F;
    y = y * m + 3.3333331174e-1F;
    y = y * m * (m * m);
    y += e * -2.12194440e-4F;
    y -= 0.5F * (m * m);
    const Lanes result = m + y + e * 0.693359375F;
    x = (bits < 0x7f800000) ? result : x;
}

/// samples[n] = sample n of the eight frames.
HEADROOM_INLINE void gather(const float* const* rows, Lanes* samples) {
    for (int n = 0; n < kWindow; n += kLanes) {
        Lanes block[kLanes];
#pragma GCC unroll 8
        for (int lane = 0; lane < kLanes; ++lane)
            __builtin_memcpy(&block[lane], rows[lane] + n, sizeof(Lanes));
        transpose(block);
#pragma GCC unroll 8
        for (int i = 0; i < kLanes; ++i)
            samples[n + i] = block[i];
    }
    for (int n = kWindow; n < kSize; ++n)
        samples[n] = Lanes{};
}

/// output[lane][k] = values[k][lane] for k below `count`; `values` is readable up to a multiple of eight.
HEADROOM_INLINE void scatter(const Lanes* values, int count, float* const* output) {
    for (int k = 0; k < count; k += kLanes) {
        Lanes block[kLanes];
#pragma GCC unroll 8
        for (int i = 0; i < kLanes; ++i)
            block[i] = values[k + i];
        transpose(block);
        const int room = count - k;
#pragma GCC unroll 8
        for (int lane = 0; lane < kLanes; ++lane) {
            if (room >= kLanes)
                __builtin_memcpy(output[lane] + k, &block[lane], sizeof(Lanes));
            else
                __builtin_memcpy(output[lane] + k, &block[lane], sizeof(float) * static_cast<unsigned>(room));
        }
    }
}

HEADROOM_INLINE void turn(Lanes* out, const Lanes& re, const Lanes& im, const Complex& w) {
    out[0] = re * w.re - im * w.im;
    out[1] = re * w.im + im * w.re;
}

template <bool Twiddled>
HEADROOM_INLINE void butterfly(Lanes* a, int step, const Complex* w) {
    Lanes* b = a + step;
    Lanes* c = b + step;
    Lanes* d = c + step;
    const Lanes sumRe = a[0] + c[0], sumIm = a[1] + c[1];
    const Lanes difRe = a[0] - c[0], difIm = a[1] - c[1];
    const Lanes oddRe = b[0] + d[0], oddIm = b[1] + d[1];
    const Lanes turnRe = b[1] - d[1], turnIm = d[0] - b[0]; // (b − d) · −i
    a[0] = sumRe + oddRe;
    a[1] = sumIm + oddIm;
    if constexpr (Twiddled) {
        turn(b, difRe + turnRe, difIm + turnIm, w[0]);
        turn(c, sumRe - oddRe, sumIm - oddIm, w[1]);
        turn(d, difRe - turnRe, difIm - turnIm, w[2]);
    } else {
        b[0] = difRe + turnRe;
        b[1] = difIm + turnIm;
        c[0] = sumRe - oddRe;
        c[1] = sumIm - oddIm;
        d[0] = difRe - turnRe;
        d[1] = difIm - turnIm;
    }
}

/// 512 vectors of samples (destroyed) to 257 vectors of FOUR times the power |X|²: the factor is exact, and
/// free where it is folded into a weight.
HEADROOM_INLINE void powerTimes4(const FftTables& tables, Lanes* z, Lanes* power) {
    const Complex* twiddle = tables.twiddles;
    for (int length = kHalf; length > 4; length /= 4)
        for (int k = 0; k < length / 4; ++k, twiddle += 3)
            for (int start = k; start < kHalf; start += length)
                butterfly<true>(z + 2 * start, length / 2, twiddle);
    for (int start = 0; start < kHalf; start += 4)
        butterfly<false>(z + 2 * start, 2, nullptr);

    const Lanes dc = 2.0F * (z[0] + z[1]);
    const Lanes nyquist = 2.0F * (z[0] - z[1]);
    power[0] = dc * dc;
    power[kHalf] = nyquist * nyquist;
    for (int k = 1; k <= kHalf / 2; ++k) {
        const Lanes* p = z + 2 * tables.reversed[k];
        const Lanes* q = z + 2 * tables.reversed[kHalf - k];
        // Twice the spectra of the even and of the odd samples.
        const Lanes evenRe = p[0] + q[0], evenIm = p[1] - q[1];
        const Lanes oddRe = p[1] + q[1], oddIm = q[0] - p[0];
        Lanes odd[2];
        turn(odd, oddRe, oddIm, tables.separators[k]);
        const Lanes lowRe = evenRe + odd[0], lowIm = evenIm + odd[1];
        const Lanes highRe = evenRe - odd[0], highIm = evenIm - odd[1];
        power[k] = lowRe * lowRe + lowIm * lowIm;
        power[kHalf - k] = highRe * highRe + highIm * highIm;
    }
}

/// sum = Σ (x[n] − offset).
HEADROOM_INLINE void sumOfDifferences(const Lanes* x, const Lanes& offset, Lanes& sum) {
    Lanes sums[4] = {};
    for (int n = 0; n < kWindow; n += 4)
#pragma GCC unroll 4
        for (int i = 0; i < 4; ++i)
            sums[i] += x[n + i] - offset;
    sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void logMel(const LogMelTables& tables, Scratch& scratch, const float* const* rows, float* const* output) {
    auto* x = reinterpret_cast<Lanes*>(scratch.samples);
    auto* power = reinterpret_cast<Lanes*>(scratch.power);
    gather(rows, x);

    // The mean in two parts: what the first leaves over matters where a recording is little more than its
    // offset.
    Lanes mean{}, rest{};
    sumOfDifferences(x, Lanes{}, mean);
    mean *= 1.0F / kWindow;
    sumOfDifferences(x, mean, rest);
    rest *= 1.0F / kWindow;
    // x[n] − 0.97 x[n−1] without the mean, written so that nothing large is rounded: neighbours of a low tone
    // differ by an exact float, and 0.03 of the rest is small. Rounded at full amplitude, this noise would
    // fill empty high bins.
    Lanes previous = x[0];
    for (int n = 0; n < kWindow; ++n) {
        const Lanes current = x[n];
        x[n] = ((current - previous) + 0.03F * ((previous - mean) - rest)) * tables.window[n];
        previous = current;
    }

    powerTimes4(tables.fft, x, power);
    const Lanes floor = Lanes{} + 1.1920929e-7F;
    for (int m = 0; m < kMelBins; ++m) {
        const Triangle& triangle = tables.triangles[m];
        const float* weights = tables.weights + triangle.offset;
        const Lanes* band = power + triangle.first;
        Lanes sum{};
        for (int k = 0; k < triangle.count; ++k)
            sum += band[k] * weights[k];
        sum = sum < floor ? floor : sum; // a NaN stays a NaN
        logarithm(sum);
        x[m] = sum; // the samples are done with
    }
    scatter(x, kMelBins, output);
}

void spectrum(const SpectrumTables& tables, Scratch& scratch, const float* const* rows,
              float* const* output) {
    auto* x = reinterpret_cast<Lanes*>(scratch.samples);
    auto* power = reinterpret_cast<Lanes*>(scratch.power);
    gather(rows, x);
    for (int n = 0; n < kWindow; ++n)
        x[n] *= tables.window[n];
    powerTimes4(tables.fft, x, power);
    // 0 Hz and the Nyquist frequency have no mirror image to share their amplitude with.
    power[0] *= 0.25F;
    power[kHalf] *= 0.25F;
    const Lanes floor = Lanes{} + 1e-12F; // −120 dB
    for (int k = 0; k < kSpectrumBins; ++k) {
        Lanes value = power[k] * tables.scale;
        value = value < floor ? floor : value;
        logarithm(value);
        power[k] = value * 4.342944819F; // 10 / ln 10
    }
    scatter(power, kSpectrumBins, output);
}

#undef HEADROOM_INLINE

} // namespace headroom::lanes::HEADROOM_KERNELS
