// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/studies/study.h"
#include "training/studies/latency_timing.h"

#include <chrono>
#include <filesystem>
#include <string>

namespace headroom::training {

/// The rounds of a latency study that are finished, kept in its folder until its results are written. They belong to these
/// models, settings and seed, and to this processor, device and version of Headroom: times of another machine are not found.
class LatencyRounds {
public:
    /// `study`: its folder; empty: nothing is kept.
    LatencyRounds(const std::filesystem::path& study, const Study& document, const nlohmann::json& settings);

    /// Returns what was kept, by model; empty: nothing. `note`: why there is nothing although something was kept.
    std::vector<LatencyTimes> find(std::string& note);
    /// Keeps all of them, every few seconds at most unless `now`. Throws Error "study.cacheUnwritable".
    void keep(const std::vector<LatencyTimes>& times, bool now);
    /// In how many sittings they were timed, with this one.
    int sittings() const { return m_sittings; }
    /// The results have them all.
    static void remove(const std::filesystem::path& study);

private:
    std::filesystem::path m_folder;
    std::string m_models, m_machine, m_plan;
    int m_sittings = 1;
    std::chrono::steady_clock::time_point m_kept = std::chrono::steady_clock::now();
};

} // namespace headroom::training
