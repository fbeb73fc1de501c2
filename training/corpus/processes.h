// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace headroom::training {

/// Returns the number of processors available to this process.
int usableProcessors();

/// Calls `work(i)` for every i in [first, last) in `processes` child processes, and `done(i, result of work)`
/// here, in order of completion. For libraries with global state, such as espeak-ng. An Error in a child is
/// thrown here with its code and sentence and ends the others; a child that dies throws Error
/// "processes.lost".
///
/// The children are made by fork(): call it before this process starts any thread. Children never outlive
/// this call or this process.
void inProcesses(std::int64_t first, std::int64_t last, int processes,
                 const std::function<std::string(std::int64_t)>& work,
                 const std::function<void(std::int64_t, const std::string&)>& done);

} // namespace headroom::training
