// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/studies/probe/probe_runs.h"

#include <span>
#include <vector>

namespace headroom::training {

/// Returns the tables of accuracy by layer, accuracy by phone, and the confusion of each model's best layer;
/// for two or more models also their comparison. One `findings` and one `split` per model.
std::vector<StudyTable> probeTables(const Study& study, std::span<const ProbeFindings> findings,
                                    std::span<const ProbeSplit> splits, const ProbePlan& plan);

} // namespace headroom::training
