// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom::training {

/// The whole program: reads the command line, runs the subcommand, returns the exit status (0 done, 1 an
/// input is bad, 2 wrong usage).
int runWorker(int argc, char** argv);

} // namespace headroom::training
