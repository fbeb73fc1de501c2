// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace headroom::training {

/// From now on SIGTERM, SIGINT and SIGHUP only set the flag; a second one ends the process as usual.
void catchTermination();
const std::atomic<bool>& terminationFlag();
/// Returns the exit status of a command that such a signal ended, as a shell gives it: 130 for SIGINT (Ctrl-C),
/// 143 for SIGTERM; 0 if no signal came.
int terminationStatus();

} // namespace headroom::training
