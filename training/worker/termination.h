// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace headroom::training {

/// SIGTERM, SIGINT and SIGHUP from now on only set the flag; a second one ends the process as usual.
void catchTermination();
const std::atomic<bool>& terminationFlag();

} // namespace headroom::training
