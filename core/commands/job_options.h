// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/worker_commands.h"
#include "core/runs/jobs.h"

namespace headroom {

/// Returns whether a job of RUNS/queue goes on with a run that is there: it was made for that, or the run had begun when its queue was ended.
/// Looks at the disk.
bool continuesRun(const std::filesystem::path& runs, const Job& job);

/// Returns what `train` is started with for a job of RUNS/queue, with absolute paths. Looks at the disk: a run that is there already goes
/// on.
TrainOptions trainOptionsOf(const std::filesystem::path& runs, const Job& job);

} // namespace headroom
