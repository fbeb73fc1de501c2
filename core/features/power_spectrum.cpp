// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/features/power_spectrum.h"

#include <algorithm>
#include <cassert>
#include <numbers>
#include <stdexcept>

namespace headroom {

PowerSpectrum::PowerSpectrum(int size) : m_size(size) {
    if (size < 1)
        throw std::invalid_argument("a Fourier transform needs at least one sample");
    int rest = size;
    for (int prime = 2; rest > 1; ++prime)
        for (; rest % prime == 0; rest /= prime)
            m_factors.push_back(prime);
    for (int k = 0; k < size; ++k)
        m_roots.push_back(std::polar(1.0, -2 * std::numbers::pi * k / size));
    m_result.resize(static_cast<std::size_t>(size));
    m_parts.resize(m_factors.empty() ? 1 : static_cast<std::size_t>(m_factors.back()));
}

/// The transform of samples[0], samples[stride] … (`size` of them): `factor` transforms of every factor-th sample,
/// joined by X[k + q m] = Σ_r w^{r (k + q m)} X_r[k] with m = size / factor.
void PowerSpectrum::transform(const double* samples, int stride, int size, int step, Complex* result) {
    if (size == 1) {
        *result = *samples;
        return;
    }
    const int factor = m_factors[static_cast<std::size_t>(step)], part = size / factor;
    for (int r = 0; r < factor; ++r)
        transform(samples + r * stride, stride * factor, part, step + 1, result + r * part);
    for (int k = 0; k < part; ++k) {
        for (int r = 0; r < factor; ++r)
            m_parts[static_cast<std::size_t>(r)] = result[r * part + k];
        for (int q = 0; q < factor; ++q) {
            const int place = k + q * part;
            Complex sum = m_parts[0];
            for (int r = 1; r < factor; ++r) {
                const Complex& root = m_roots[static_cast<std::size_t>(r * place % size * (m_size / size))];
                const Complex& value = m_parts[static_cast<std::size_t>(r)];
                sum += Complex(value.real() * root.real() - value.imag() * root.imag(),
                               value.real() * root.imag() + value.imag() * root.real());
            }
            result[place] = sum;
        }
    }
}

void PowerSpectrum::compute(std::span<const double> frame, std::span<double> power) {
    assert(frame.size() == static_cast<std::size_t>(m_size) &&
           power.size() == static_cast<std::size_t>(bins()));
    transform(frame.data(), 1, m_size, 0, m_result.data());
    for (std::size_t k = 0; k < power.size(); ++k)
        power[k] = std::norm(m_result[k]);
}

} // namespace headroom
