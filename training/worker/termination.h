// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>

namespace headroom::training {

/// From now on SIGTERM, SIGINT and SIGHUP only set the flag; a second one ends the process as usual.
void catchTermination();
const std::atomic<bool>& terminationFlag();

} // namespace headroom::training
