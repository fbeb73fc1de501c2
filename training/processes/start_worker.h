// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace headroom::training {

/// How long a started worker lives.
enum class WorkerLife {
    Child,      ///< until it ends; the terminal's signals reach it too
    Session,    ///< likewise, in a session of its own: it outlives who started it
    WithParent, ///< receives SIGTERM when the process that started it ends in any way, but no signals of the terminal
};

/// Starts this program again with other arguments, its output at the end of `log`, and its standard error at the end of `errors`,
/// if that is not empty. Throws Error "queue.start".
pid_t startWorker(const std::vector<std::string>& arguments, const std::filesystem::path& log, WorkerLife life,
                  const std::filesystem::path& errors = {});

/// The exit status of a child (128 + N after signal N) if it has ended; then it is known no longer. Does not wait.
std::optional<int> endedStatus(pid_t child);

/// The last line of a log that says something: what a command that failed says. Empty if there is none.
std::string lastLineOfLog(const std::filesystem::path& log);

} // namespace headroom::training
