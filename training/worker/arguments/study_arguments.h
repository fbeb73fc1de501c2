// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/commands/worker_commands.h"

namespace CLI {
class App;
}

namespace headroom::training {

/// Declares `study` with its arguments, which must outlive the parser. Returns the command; the caller sets
/// its callback, called after the arguments were checked.
CLI::App* declareStudyArguments(CLI::App& app, StudyOptions& options);
/// Throws CLI::ParseError if arguments are missing or contradictory.
void checkStudyArguments(const StudyOptions& options);

} // namespace headroom::training
