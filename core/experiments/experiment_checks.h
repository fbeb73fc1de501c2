// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/experiments/experiment.h"

namespace headroom {

/// Checks that the names of steps, corpora, columns and rows of a document fit together: each name once, each reference to a
/// step before it and of a kind that has what is asked for. Throws Error "experiment.reference" or "experiment.value", which
/// names `file`, the place and the nearest correct name.
void checkExperiment(const Experiment& experiment, const std::string& file);

} // namespace headroom
