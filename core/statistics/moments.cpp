// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/moments.h"

#include "core/statistics/undefined.h"

#include <cmath>

namespace headroom {

Moments::Moments(std::span<const double> values) {
    double sum = 0;
    for (const double value : values)
        if (!std::isnan(value)) {
            sum += value;
            ++m_n;
        }
    if (m_n == 0)
        return;
    m_mean = sum / static_cast<double>(m_n);
    for (const double value : values)
        if (!std::isnan(value))
            m_squares += (value - m_mean) * (value - m_mean);
}

void Moments::add(double value) {
    if (std::isnan(value))
        return;
    const double before = value - m_mean;
    m_mean += before / static_cast<double>(++m_n);
    m_squares += before * (value - m_mean);
}

double Moments::mean() const {
    return m_n > 0 ? m_mean : kUndefined;
}

double Moments::deviation() const {
    return m_n > 0 ? std::sqrt(m_squares / static_cast<double>(m_n))
                   : kUndefined;
}

double Moments::sampleDeviation() const {
    return m_n > 1 ? std::sqrt(m_squares / static_cast<double>(m_n - 1))
                   : kUndefined;
}

} // namespace headroom
