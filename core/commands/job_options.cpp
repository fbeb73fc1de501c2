// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/job_options.h"

#include "core/places/run_place.h"
#include "core/runs/run_folder.h"

namespace headroom {

namespace fs = std::filesystem;

bool continuesRun(const fs::path& runs, const Job& job) {
    std::error_code ignored;
    return job.resume || (!job.evaluation && fs::exists(RunPaths{runs / job.run}.run(), ignored)); // an absolute path stays itself
}

TrainOptions trainOptionsOf(const fs::path& runs, const Job& job) {
    const auto absolute = [&](const fs::path& path) { return (runs / path).lexically_normal(); };
    TrainOptions train;
    train.run = absolute(job.run);
    train.place = job.place;
    train.device = job.device;
    train.ranks = job.ranks;
    train.allCheckpoints = job.allCheckpoints;
    train.watch = job.watch;
    if (job.watch)
        return train;
    train.resume = continuesRun(runs, job) || fs::exists(runPlaceFile(train.run)); // it may have begun elsewhere
    if (job.resume)
        return train;
    train.architecture = absolute(job.architecture);
    train.recipe = absolute(job.recipe);
    train.data = absolute(job.data);
    if (!job.startFrom.empty())
        train.startFrom = absolute(job.startFrom).string();
    train.seed = job.seed;
    train.set = job.set;
    train.hold = job.hold;
    return train;
}

} // namespace headroom
