// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/jobs.h"

#include <QString>

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom::app {

/// A job that was taken out of the queue, with all that is needed to put it back where it was. A value.
struct RemovedJob {
    std::filesystem::path file;
    std::filesystem::path run; ///< absolute; empty: the job could not be read
    bool resumes = false;      ///< it goes on with a run that is there
    std::vector<std::pair<std::filesystem::path, std::string>> contents; ///< its file, after those that were written for it
    QString called;         ///< the name under which it was started; empty: none was kept
    bool wasServed = false; ///< a queue process was there to do it
    QString place{};              ///< the name of the place where it waits; empty: on this machine
    std::optional<Job> placed{}; ///< the job, if it waits at a place that was asked to give its run back
};

/// Takes a job out of the queue, with the inputs that were written for it. Returns false for a run that waits at another place:
/// it was asked to stop there, and the queue removes the job when the place has given the run back. `removed`: for putBack(). Throws
/// Error "run.unwritable".
bool removeJob(const std::filesystem::path& file, RemovedJob* removed = nullptr);

/// Puts the job back where it was and returns its file. What a place was asked to give back is a new run of the same, behind all that wait,
/// because the place may still know the former. Throws Error "run.exists" if its run exists or waits by now, "run.missing" if the run
/// that it goes on with is gone, and "run.unwritable".
std::filesystem::path putBack(const RemovedJob& removed);

} // namespace headroom::app
