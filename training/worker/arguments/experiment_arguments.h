// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/experiment_options.h"

namespace CLI {
class App;
}

namespace headroom::training {

/// Declares `experiment`, as core/commands writes it, but for --device. Options must outlive the parser. Returns the command, whose
/// callback is the caller's.
CLI::App* declareExperimentArguments(CLI::App& app, ExperimentOptions& options);
/// Throws CLI::ParseError if an option is missing that doing an experiment needs.
void checkExperimentArguments(const ExperimentOptions& options);

} // namespace headroom::training
