// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/worker_commands.h"
#include "core/runs/jobs.h"

namespace headroom {

/// Returns what `train` is started with for a job of RUNS/queue, with absolute paths. Looks at the disk: a run that is there already goes
/// on.
TrainOptions trainOptionsOf(const std::filesystem::path& runs, const Job& job);

} // namespace headroom
