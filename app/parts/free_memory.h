// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>

namespace headroom::app {

/// Bytes of memory that are free for programs now; `nullopt` if the system does not say. Safe on every thread.
std::optional<double> freeMemory();

} // namespace headroom::app
