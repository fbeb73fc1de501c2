// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/worker/commands.h"

namespace CLI {
class App;
}

namespace headroom::training {

/// Declares `study` with its arguments; they must outlive the parser. Returns the command, whose callback is
/// the caller's, to be called after the arguments were found to fit together.
CLI::App* declareStudyArguments(CLI::App& app, StudyOptions& options);
/// Throws CLI::ParseError where arguments are missing or contradict each other.
void checkStudyArguments(const StudyOptions& options);

} // namespace headroom::training
