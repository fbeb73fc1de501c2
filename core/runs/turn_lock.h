// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/jobs.h"

#include <filesystem>
#include <string>

namespace headroom {

/// Held by whoever computes on this machine: the queue of this folder of runs with a job, or an experiment with a step.
inline std::filesystem::path turnLock(const std::filesystem::path& runs) {
    return queueFolder(runs) / "turn.lock";
}

/// What the queue's log says, once, of a job that waits while an experiment has the turn; `job`: its name. The window reads it there.
inline std::string waitsForTurn(const std::string& job) {
    return job + " waits: an experiment computes on this machine.";
}

} // namespace headroom
