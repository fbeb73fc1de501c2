// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/worker_commands.h"

namespace CLI {
class App;
}

namespace headroom::training {

// Declares `train`, `queue` and `corpus demo` with their options, as core/commands writes them. Options must
// outlive the parser. Each returns its command, whose callback is the caller's.

CLI::App* declareTrainArguments(CLI::App& app, TrainOptions& options, bool& json);
/// Throws CLI::ParseError if an option is missing that a new run needs; `command`: of declareTrainArguments().
void checkTrainArguments(const CLI::App& command, const TrainOptions& options);

CLI::App* declareQueueArguments(CLI::App& app, QueueOptions& options);
/// `corpus`: the command that `demo` belongs to.
CLI::App* declareDemoArguments(CLI::App& corpus, CorpusOptions& options, bool& json);

} // namespace headroom::training
