// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::training {

/// Runs the program: parses the command line, runs the subcommand, and returns the exit status (0 done, 1
/// invalid input, 2 wrong usage).
int runWorker(int argc, char** argv);

} // namespace headroom::training
