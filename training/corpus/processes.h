// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>

namespace headroom::training {

/// As many as this process may run on.
int usableProcessors();

/// Calls `work(i)` for every i in [first, last), spread over `processes` children of this process, and
/// `done(i, what work returned)` here, in whatever order they end. For what keeps its state in the process,
/// as espeak-ng does. An Error in a child is thrown here, with its code and sentence, and ends the others; a
/// child that dies throws Error "processes.lost".
///
/// The children are copies made by fork(): call it before this process starts any thread. Children never
/// outlive this call, nor this process.
void inProcesses(std::int64_t first, std::int64_t last, int processes,
                 const std::function<std::string(std::int64_t)>& work,
                 const std::function<void(std::int64_t, const std::string&)>& done);

} // namespace headroom::training
