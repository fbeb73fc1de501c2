// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// The arithmetic of the front end on eight frames at a time, one per vector lane: every step is the same for
// every frame, so nothing is shuffled inside a frame. The body (kernels_body.h) is compiled for every machine
// and, on x86-64, again for AVX2 and FMA; the choice is made at run time. Plain arrays only, because a source
// file compiled for AVX2 includes this header, and the linker must never keep an inline function from there
// for the whole program. Internal to core/features.

namespace headroom::lanes {

inline constexpr int kLanes = 8;
inline constexpr int kWindow = 400;
inline constexpr int kHop = 160;
inline constexpr int kSize = 512;
inline constexpr int kHalf = kSize / 2;
inline constexpr int kSpectrumBins = kHalf + 1;
inline constexpr int kMelBins = 80;

struct Complex {
    float re, im;
};

/// Constants of the transform of 512 real samples: they are taken as 256 complex ones, transformed by four
/// radix-4 steps (decimation in frequency), and separated into 257 bins. Computed in double.
struct FftTables {
    Complex twiddles[3 * (64 + 16 + 4)]; ///< w, w², w³ of each butterfly, in the order of use
    Complex separators[kHalf / 2 + 1];   ///< exp(−2πi k / 512)
    int reversed[kHalf]; ///< position of bin k of the 256 after the transform (base-4 digits reversed)
};

/// The non-zero part of one triangle: weights[offset … offset + count) on the bins from `first`.
struct Triangle {
    int first, count, offset;
};

struct LogMelTables {
    FftTables fft;
    float window[kWindow]; ///< Povey's, times 32768: Kaldi's scale is that of 16-bit integers
    Triangle triangles[kMelBins];
    float weights[2 * kHalf]; ///< times 1/4, because the transform gives four times the power
};

struct SpectrumTables {
    FftTables fft;
    float window[kWindow];
    float scale; ///< of four times the power, so that a sine of amplitude 1 has 1
};

/// Scratch memory for eight frames; its contents between calls are undefined.
struct alignas(64) Scratch {
    float samples[kSize * kLanes];
    float power[(kSpectrumBins + 7) * kLanes];
};

/// `rows`: the first samples of eight frames, 400 readable from each. `output`: eight rows, of 80 or 257
/// numbers.
struct Kernels {
    void (*logMel)(const LogMelTables&, Scratch&, const float* const* rows, float* const* output);
    void (*spectrum)(const SpectrumTables&, Scratch&, const float* const* rows, float* const* output);
};

void fillFftTables(FftTables& tables);
void fillLogMelTables(LogMelTables& tables);
void fillSpectrumTables(SpectrumTables& tables);

const Kernels& portableKernels();
/// Returns the fastest kernels that this machine supports.
const Kernels& bestKernels();

} // namespace headroom::lanes
