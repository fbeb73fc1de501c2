// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>

namespace headroom {

/// Count, mean and standard deviation, exact to rounding even if the mean is large compared to the deviation
/// (Σx² − n·mean² would cancel). NaN values are left out. A value; not thread-safe.
class Moments {
public:
    Moments() = default;
    /// Of all values at once, in two passes: the mean of whole numbers is then exact wherever it is one.
    explicit Moments(std::span<const double> values);
    /// One value more, by Welford's update.
    void add(double value);

    std::int64_t n() const { return m_n; } ///< values that are not NaN
    double mean() const;                   ///< NaN if n is 0
    double deviation() const;              ///< of the population (divided by n); NaN if n is 0
    double sampleDeviation() const;        ///< of the sample (divided by n − 1); NaN if n < 2

private:
    std::int64_t m_n = 0;
    double m_mean = 0, m_squares = 0; ///< m_squares: Σ (x − mean)²
};

} // namespace headroom
