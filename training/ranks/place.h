// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>

namespace headroom::training {

/// The place of this process among those that train one model together. A value.
struct RankPlace {
    int rank = 0, world = 1; ///< 0 ≤ rank < world; rank 0 writes the run folder
    std::string address;     ///< host of rank 0
    int port = 0;            ///< of rank 0, where the ranks meet; 0 at rank 0: any free one
    int local = 0;           ///< which rank of this host
};

/// Returns the place that a launcher gave this process: torchrun's RANK, WORLD_SIZE, MASTER_ADDR and MASTER_PORT, or
/// srun's SLURM_PROCID, SLURM_NTASKS and SLURM_LAUNCH_NODE_IPADDR (port: MASTER_PORT, else 20000 + SLURM_JOB_ID mod
/// 20000). Which of this host: LOCAL_RANK, SLURM_LOCALID, else the first. nullopt without a launcher, and for a launcher with one process. Throws Error "ranks.environment", which
/// names the variable, for values that contradict each other.
std::optional<RankPlace> placeFromEnvironment();

} // namespace headroom::training
