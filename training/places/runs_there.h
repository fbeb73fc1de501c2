// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

#include <nlohmann/json.hpp>

#include <filesystem>

namespace headroom::training {

// The runs in the folder of a place, whoever started them. A run is {name, title, state, update, maxUpdates, seed, created}: the name of its
// folder, and of its architecture; the state as in run.json, or "waiting" while it has not begun, or "unknown". Newest first.

/// That end: the runs in a folder of this machine, as a list. `place`: a Slurm cluster is asked for the jobs that it has, once for all runs.
/// If it does not answer, a run that one of its jobs may go on with is "unknown", and has `why`.
nlohmann::json runsIn(const std::filesystem::path& runs, const Place& place);
/// This end: asks the worker there. Throws what the connection throws, and Error "place.worker" if it does not answer as expected.
nlohmann::json runsAt(const Place& place);

/// What that end prints in front of the list: a login shell may print text, too.
inline constexpr const char* kRunsMark = "headroom-runs ";

} // namespace headroom::training
