// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/failed_jobs.h"

#include "core/runs/jobs.h"
#include "core/runs/strict_json.h"

namespace headroom {

namespace fs = std::filesystem;

std::vector<fs::path> failedJobsOf(const fs::path& runs, const fs::path& run) {
    std::vector<fs::path> files;
    for (const fs::path& file : putAsideJobs(runs))
        try {
            if (const auto named = readStrictObject(file, "job.badJson").value("run", nlohmann::json()); // the rest of it may be wrong
                named.is_string() && runs / named.get<std::string>() == run)                           // an absolute path stays itself
                files.push_back(file);
        } catch (const Error&) {
            continue; // somebody else's
        }
    return files;
}

void forgetFailedJobs(const fs::path& runs, const fs::path& run) {
    std::error_code ignored;
    for (const fs::path& file : failedJobsOf(runs, run))
        fs::remove(file, ignored);
}

} // namespace headroom
