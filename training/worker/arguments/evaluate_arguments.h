// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/worker/commands.h"

namespace CLI {
class App;
}

namespace headroom::training {

/// Adds `evaluate` to a parser that fills the options, without --json. `options` outlives the parser.
CLI::App* declareEvaluateArguments(CLI::App& app, EvaluateOptions& options);

} // namespace headroom::training
