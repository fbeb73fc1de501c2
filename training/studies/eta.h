// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <vector>

namespace headroom::training {

/// Estimates the time left for a list of jobs of known sizes. Cached jobs cost nothing and do not count for
/// the speed. One thread at a time.
class Eta {
public:
    /// `atOnce`: how many jobs are worked on at the same time. Until as many are done, those on which the others have long been
    /// working would look like work that has not begun.
    explicit Eta(std::vector<double> costs, std::int64_t atOnce = 1)
        : m_costs(std::move(costs))
        , m_basis(std::min(atOnce, static_cast<std::int64_t>(m_costs.size()))) {
        for (const double cost : m_costs)
            m_left += cost;
    }
    double cost(std::size_t job) const { return m_costs[job]; }
    void done(std::size_t job, bool measured) {
        m_left -= m_costs[job];
        if (!measured)
            return;
        m_measured += m_costs[job];
        ++m_jobs;
    }
    /// Returns −1 if too little was measured yet.
    double secondsLeft() const {
        if (m_left <= 0)
            return 0;
        if (m_measured <= 0 || m_jobs < m_basis)
            return -1;
        const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - m_begun;
        return passed.count() * m_left / m_measured;
    }

private:
    std::vector<double> m_costs;
    std::int64_t m_basis = 1, m_jobs = 0;
    double m_left = 0, m_measured = 0;
    std::chrono::steady_clock::time_point m_begun = std::chrono::steady_clock::now();
};

/// Whether the steps that are left take about as long as those before.
enum class StepsLeft { Alike, Unlike };

/// Estimates the time left for steps that take about as long each; it never infers how long steps of another kind take. One
/// thread at a time.
class StepEta {
public:
    using Clock = std::chrono::steady_clock;

    /// Call it at every step. Returns −1 while steps of another kind are left or too few were done.
    double secondsLeft(std::int64_t done, std::int64_t total, StepsLeft left, Clock::time_point now) {
        if (total != m_total || done < m_done || left != m_left) {
            m_first = done;
            m_begun = now;
        }
        m_total = total;
        m_done = done;
        m_left = left;
        if (left == StepsLeft::Unlike || done - m_first < kBasis)
            return -1;
        return std::chrono::duration<double>(now - m_begun).count() * static_cast<double>(total - done) / static_cast<double>(done - m_first);
    }

private:
    static constexpr std::int64_t kBasis = 2;
    std::int64_t m_first = 0, m_done = 0, m_total = -1;
    StepsLeft m_left = StepsLeft::Unlike;
    Clock::time_point m_begun;
};

} // namespace headroom::training
