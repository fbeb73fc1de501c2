// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace headroom::training {

/// The folder of one command at the place that computes it, `evaluate` or `study`: FOLDER/work/NAME.
struct WorkPaths {
    std::filesystem::path folder;
    std::filesystem::path job() const { return folder / "job.json"; }       ///< the command's words
    std::filesystem::path lock() const { return folder / "lock"; }          ///< held while it is computed
    std::filesystem::path status() const { return folder / "status.json"; } ///< its exit status, when it has ended
    std::filesystem::path output() const { return folder / "output.txt"; }
    std::filesystem::path errors() const { return folder / "errors.txt"; }
    std::filesystem::path out() const { return folder / "out"; } ///< what it writes
};

/// Writes job.json. `known`: paths in the words → the same paths on the machine that asks. Throws Error "run.unwritable".
void writeWork(const WorkPaths& paths, const std::vector<std::string>& words, const std::map<std::string, std::string>& known);
/// Returns the exit status of a command that has ended, else nullopt. Throws Error "work.badJson".
std::optional<int> endedWork(const WorkPaths& paths);

/// Does the command of a folder: starts this program with the words of job.json, waits for its end and writes status.json. A
/// study that was begun before goes on. The folder's control.json and `stop` end the command by SIGTERM. Returns at once
/// if another process does it. Throws Error "work.badJson", "run.unwritable", "queue.start".
void doWork(const WorkPaths& paths, const std::atomic<bool>& stop);

} // namespace headroom::training
