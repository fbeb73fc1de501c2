// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/ranks/place.h"

#include <string>
#include <sys/types.h>
#include <vector>

namespace headroom::training {

/// The processes of ranks 1 … world − 1 on this machine, children of rank 0. They end with it, however it ends.
class LocalRanks {
public:
    LocalRanks() = default;
    ~LocalRanks(); ///< waits for them
    LocalRanks(const LocalRanks&) = delete;
    LocalRanks& operator=(const LocalRanks&) = delete;

    /// Starts this program again with `arguments` (without the program's name) for every rank of `place` but 0, and with
    /// torchrun's variables in the environment. Their standard output is dropped. Throws Error "ranks.start".
    void start(const RankPlace& place, const std::vector<std::string>& arguments);

private:
    std::vector<pid_t> m_processes;
};

/// In a process that LocalRanks started: ends it when rank 0 ends. Elsewhere nothing.
void endWithFirstRank();

} // namespace headroom::training
