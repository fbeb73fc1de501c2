// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/error.h"
#include "core/features/features.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <numbers>
#include <string>
#include <vector>

namespace headroom {

namespace {

// Written from the definition, sharing nothing with the fast filterbank.

using Complex = std::complex<double>;

constexpr std::size_t kSize = 512;

/// The discrete Fourier transform of x[0], x[stride], x[2 stride] … (size of them, a power of two) by
/// halving.
void fourier(const Complex* x, std::size_t stride, std::size_t size, const std::vector<Complex>& roots,
             Complex* result) {
    if (size == 1) {
        *result = *x;
        return;
    }
    const std::size_t half = size / 2;
    fourier(x, 2 * stride, half, roots, result);
    fourier(x + stride, 2 * stride, half, roots, result + half);
    for (std::size_t k = 0; k < half; ++k) {
        const Complex even = result[k];
        const Complex turned = roots[k * (kSize / size)] * result[k + half];
        result[k] = even + turned;
        result[k + half] = even - turned;
    }
}

double mel(double hertz) {
    return 1127.0 * std::log(1.0 + hertz / 700.0);
}

} // namespace

Matrix<double> referenceLogMel(std::span<const float> samples) {
    constexpr std::size_t kWindow = 400;
    constexpr std::size_t kHop = 160;
    constexpr std::size_t kBins = 80;
    constexpr double kFloor = 1.1920929e-7;
    if (samples.size() < kWindow)
        throw Error("features.tooShort",
                    "The recording has " + std::to_string(samples.size()) +
                        " samples at 16,000 Hz; one frame needs 25 ms, that is 400 samples.");
    const std::size_t frames = 1 + (samples.size() - kWindow) / kHop;

    std::vector<double> window(kWindow);
    for (std::size_t n = 0; n < kWindow; ++n)
        window[n] = std::pow(
            0.5 - 0.5 * std::cos(2 * std::numbers::pi * static_cast<double>(n) / (kWindow - 1)), 0.85);

    // weight[b][k]: rises from the left neighbour's centre, falls to the right one's.
    std::vector<std::vector<double>> weight(kBins, std::vector<double>(kSize / 2));
    const double low = mel(20);
    const double step = (mel(8000) - low) / (kBins + 1);
    for (std::size_t b = 0; b < kBins; ++b) {
        const double left = low + static_cast<double>(b) * step;
        const double centre = left + step;
        const double right = centre + step;
        for (std::size_t k = 0; k < kSize / 2; ++k) {
            const double here = mel(16000.0 * static_cast<double>(k) / kSize);
            weight[b][k] =
                std::max(0.0, std::min((here - left) / (centre - left), (right - here) / (right - centre)));
        }
    }

    std::vector<Complex> roots(kSize);
    for (std::size_t k = 0; k < kSize; ++k)
        roots[k] = std::polar(1.0, -2 * std::numbers::pi * static_cast<double>(k) / kSize);

    std::vector<Complex> spectrum(kSize);
    Matrix<double> result(frames, kBins);
    for (std::size_t f = 0; f < frames; ++f) {
        std::vector<double> x(kWindow);
        double mean = 0;
        for (std::size_t n = 0; n < kWindow; ++n) {
            x[n] = 32768.0 * static_cast<double>(samples[f * kHop + n]);
            mean += x[n] / kWindow;
        }
        for (double& value : x)
            value -= mean;
        for (std::size_t n = kWindow; n-- > 0;)
            x[n] -= 0.97 * x[n == 0 ? 0 : n - 1];
        std::vector<Complex> padded(kSize);
        for (std::size_t n = 0; n < kWindow; ++n)
            padded[n] = x[n] * window[n];
        fourier(padded.data(), 1, kSize, roots, spectrum.data());
        for (std::size_t b = 0; b < kBins; ++b) {
            double energy = 0;
            for (std::size_t k = 0; k < kSize / 2; ++k)
                energy += weight[b][k] * std::norm(spectrum[k]);
            result(f, b) = std::log(std::max(energy, kFloor));
        }
    }
    return result;
}

} // namespace headroom
