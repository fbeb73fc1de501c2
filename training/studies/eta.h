// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <vector>

namespace headroom::training {

/// Estimates the time left for a list of jobs of known sizes. Cached jobs cost nothing and do not count for
/// the speed. One thread at a time.
class Eta {
public:
    explicit Eta(std::vector<double> costs) : m_costs(std::move(costs)) {
        for (const double cost : m_costs)
            m_left += cost;
    }
    double cost(std::size_t job) const { return m_costs[job]; }
    void done(std::size_t job, bool measured) {
        m_left -= m_costs[job];
        if (measured)
            m_measured += m_costs[job];
    }
    /// Returns −1 if nothing was measured yet.
    double secondsLeft() const {
        if (m_left <= 0)
            return 0;
        if (m_measured <= 0)
            return -1;
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - m_begun;
        return passed.count() * m_left / m_measured;
    }

private:
    std::vector<double> m_costs;
    double m_left = 0, m_measured = 0;
    std::chrono::steady_clock::time_point m_begun = std::chrono::steady_clock::now();
};

} // namespace headroom::training
