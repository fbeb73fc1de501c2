// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <vector>

namespace headroom {

/// Returns the jobs of a run (an absolute path) that were put aside, by name. One that is not a job is none of them.
std::vector<std::filesystem::path> failedJobsOf(const std::filesystem::path& runs, const std::filesystem::path& run);
/// Removes them: what they say is of an earlier attempt. Never throws.
void forgetFailedJobs(const std::filesystem::path& runs, const std::filesystem::path& run);

} // namespace headroom
