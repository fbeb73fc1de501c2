// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>

namespace headroom {

/// Requests in control.json that do not end a run; `run_folder.h` has the one that does. `train` looks between two
/// updates. A run of several processes refuses both in its log. Any process may ask; not thread-safe within one.
enum class RunControl {
    None,
    Pause,   ///< wait, with everything in memory, until the request is taken back or another one is made
    Evaluate, ///< validate now, once; best checkpoint and early stopping do not count it
    Send      ///< of a run at a cluster whose script waits for the user: hand it in; `train` itself takes no notice
};

/// Throws Error "run.unwritable".
void askToPause(const std::filesystem::path& folder);
void askToEvaluate(const std::filesystem::path& folder);
void askToSend(const std::filesystem::path& folder);
/// Returns the request. A missing or damaged control.json, and a request to stop, are None.
RunControl controlOf(const std::filesystem::path& folder);
/// Removes the request if it is still this one, and returns whether it was. Another request, made meanwhile, stays.
bool takeRequest(const std::filesystem::path& folder, RunControl request);

} // namespace headroom
