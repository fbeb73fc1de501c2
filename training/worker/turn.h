// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/file_lock.h"
#include "core/runs/turn_lock.h"

#include <chrono>
#include <filesystem>
#include <optional>
#include <system_error>
#include <utility>

namespace headroom::training {

using headroom::turnLock;

/// The turn on this machine, which the queue of a folder of runs has for each of its jobs, and an experiment for each of its
/// steps. One thread at a time.
class Turn {
public:
    /// `runs`: whose queue; empty: nobody else has turns. `givesWay`: lets the queue have the next turn if it waits for one.
    Turn(std::filesystem::path runs, bool givesWay)
        : m_runs(std::move(runs))
        , m_givesWay(givesWay) {
        std::error_code ignored; // where it cannot be made, take() says so
        if (!m_runs.empty())
            std::filesystem::create_directories(queueFolder(m_runs), ignored);
    }
    /// Returns whether it is ours now. Throws Error "run.unwritable".
    bool take() {
        if (m_runs.empty() || m_lock)
            return true;
        const bool isQueues = m_givesWay && std::chrono::steady_clock::now() < m_next && queueIsRunning(m_runs);
        if (!isQueues)
            m_lock = FileLock::tryTake(turnLock(m_runs), "run.unwritable");
        return m_lock.has_value();
    }
    void giveBack() {
        constexpr std::chrono::seconds kPause(1); // a queue looks more often
        if (m_lock)
            m_next = std::chrono::steady_clock::now() + kPause;
        m_lock.reset();
    }

private:
    std::filesystem::path m_runs;
    bool m_givesWay;
    std::optional<FileLock> m_lock;
    std::chrono::steady_clock::time_point m_next;
};

} // namespace headroom::training
