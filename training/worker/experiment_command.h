// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/experiment_options.h"
#include "training/worker/console.h"

namespace headroom::training {

/// Does a document's runs, decodings and studies, or goes on with them, and writes table.json, table.md and table.tex: the
/// paper's numbers and ours. With `list`: names the documents, their tables and what they need. A signal ends the steps, which
/// save themselves; the same command goes on.
void experiment(const ExperimentOptions& options, Console& console);

} // namespace headroom::training
