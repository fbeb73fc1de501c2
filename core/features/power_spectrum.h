// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <complex>
#include <span>
#include <vector>

namespace headroom {

/// The power |X_k|² of the discrete Fourier transform of `size` real samples, k = 0 … ⌊size/2⌋, in double precision.
/// Fast for sizes whose prime factors are small (512 and 400 take 9 and 6 steps). It serves the front ends of
/// published models, whose originals compute it in double or as closely as float allows. Owns scratch memory: one
/// object per thread.
class PowerSpectrum {
public:
    /// Throws std::invalid_argument for a size below 1.
    explicit PowerSpectrum(int size);
    int size() const { return m_size; }
    int bins() const { return m_size / 2 + 1; }
    /// `frame`: `size` windowed samples. `power`: `bins` numbers.
    void compute(std::span<const double> frame, std::span<double> power);

private:
    using Complex = std::complex<double>;
    void transform(const double* samples, int stride, int size, int step, Complex* result);

    int m_size;
    std::vector<int> m_factors; ///< prime, in the order in which the transform is cut
    std::vector<Complex> m_roots, m_result, m_parts;
};

} // namespace headroom
