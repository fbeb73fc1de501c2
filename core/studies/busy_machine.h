// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace headroom {

/// How the note of a latency study begins whose times vary more than those of an idle machine would.
inline constexpr const char* kBusyMachine = "The machine was not idle";

} // namespace headroom
