// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/kernels.h"

#include "core/time/units.h"

#include <cmath>
#include <numbers>

namespace headroom::lanes {

namespace {

double hann(int n) {
    return 0.5 - 0.5 * std::cos(2 * std::numbers::pi * n / (kWindow - 1));
}

} // namespace

void fillFftTables(FftTables& tables) {
    const auto root = [](int power, int order) {
        const double angle = -2 * std::numbers::pi * power / order;
        return Complex{static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
    };
    Complex* next = tables.twiddles;
    for (int length = kHalf; length > 4; length /= 4)
        for (int k = 0; k < length / 4; ++k)
            for (int multiple = 1; multiple <= 3; ++multiple)
                *next++ = root(multiple * k, length);
    for (int k = 0; k <= kHalf / 2; ++k)
        tables.separators[k] = root(k, kSize);
    for (int k = 0; k < kHalf; ++k)
        tables.reversed[k] = ((k & 3) << 6) | ((k & 12) << 2) | ((k & 48) >> 2) | ((k & 192) >> 6);
}

void fillLogMelTables(LogMelTables& tables) {
    fillFftTables(tables.fft);
    for (int n = 0; n < kWindow; ++n)
        tables.window[n] = static_cast<float>(32768 * std::pow(hann(n), 0.85));
    const auto mel = [](double hertz) { return 1127.0 * std::log(1.0 + hertz / 700.0); };
    const double lowest = mel(20.0);
    const double width = (mel(8000.0) - lowest) / (kMelBins + 1);
    int offset = 0;
    for (int m = 0; m < kMelBins; ++m) {
        const double centre = lowest + (m + 1) * width;
        Triangle& triangle = tables.triangles[m];
        triangle = {0, 0, offset};
        // Not the Nyquist bin: Kaldi leaves it out. A bin lies in two triangles at most, so the weights fit.
        for (int k = 0; k < kHalf; ++k) {
            const double hertz = static_cast<double>(kModelSampleRate.hertz()) * k / kSize;
            const double weight = 1.0 - std::abs(mel(hertz) - centre) / width;
            if (weight <= 0)
                continue;
            if (triangle.count++ == 0)
                triangle.first = k;
            tables.weights[offset++] = static_cast<float>(0.25 * weight);
        }
    }
}

void fillSpectrumTables(SpectrumTables& tables) {
    fillFftTables(tables.fft);
    double sum = 0;
    for (int n = 0; n < kWindow; ++n) {
        tables.window[n] = static_cast<float>(hann(n));
        sum += hann(n);
    }
    tables.scale = static_cast<float>(1.0 / (sum * sum)); // (2 / sum)², over the 4 of the kernel
}

#ifdef HEADROOM_AVX2_KERNELS
extern const Kernels kAvx2Kernels;
#endif

const Kernels& bestKernels() {
#ifdef HEADROOM_AVX2_KERNELS
    static const bool avx2 = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma");
    if (avx2)
        return kAvx2Kernels;
#endif
    return portableKernels();
}

} // namespace headroom::lanes
