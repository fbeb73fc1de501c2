// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/loop/update.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace headroom::training {

/// Losses, throughput and time left since the last point of the curves. One thread.
class Meter {
public:
    /// `counted`: what counted() returned where the run was left in the middle of an interval, or null.
    void begin(std::int64_t update, const nlohmann::json& counted = nullptr);
    /// Returns the sums since the last point, of updates that were added: exact, for a checkpoint. Null where there are none.
    nlohmann::json counted() const;
    void validated(double seconds) { m_paused += seconds; } ///< as it will again: the time left counts it, throughput does not
    /// What nobody foresaw, a pause or an evaluation that was asked for: no part of the time left.
    void paused(double seconds);
    void add(const UpdateOutcome& outcome);
    bool hasUpdates() const { return m_frames > 0; } ///< since the last point, of this process
    /// Renews text(). Where no update of the interval was read yet, loss and throughput stay those of the last one.
    void updated(std::int64_t update, std::int64_t maxUpdates);

    /// Returns the values of a "step" event (core/runs/README.md) and resets the counters.
    nlohmann::ordered_json takeStep(std::int64_t epoch);
    /// "loss 5.21 bits, 41000 frames/s, 3 min left"; before the first update was read "3 min left".
    const std::string& text() const { return m_text; }

private:
    using Clock = std::chrono::steady_clock;
    void startInterval();

    Clock::time_point m_begun, m_intervalStart, m_readAt; ///< m_readAt: when the last outcome was added
    std::int64_t m_firstUpdate = 0;
    double m_paused = 0, m_pausedAtRead = 0, m_waited = 0;
    double m_loss = 0, m_nll = 0, m_ctc = 0;
    std::int64_t m_tokens = 0;
    std::int64_t m_frames = 0; ///< of this process
    bool m_hasCtc = false;
    std::vector<double> m_fuzzyGammas; ///< of the interval
    double m_gradientNorm = 0, m_learningRate = 0, m_secondsLeft = 0, m_framesPerSecond = 0;
    std::string m_measured, m_text; ///< m_measured: loss and throughput, as text
};

} // namespace headroom::training
