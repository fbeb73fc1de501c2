// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/errors/display_name.h"
#include "core/runs/failed_jobs.h"
#include "core/runs/jobs.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"
#include "training/places/launch_here.h"

#include <chrono>
#include <optional>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kQueueStart{5};

class QueueLauncher : public RunLauncher {
public:
    QueueLauncher(const fs::path& run, std::string device, int ranks, StartQueue startQueue)
        : m_run(run)
        , m_runs(run.parent_path())
        , m_device(std::move(device))
        , m_ranks(ranks)
        , m_startQueue(std::move(startQueue)) {}

    void begin(const RunInputs& request) override {
        if (fs::exists(RunPaths{m_run}.run()))
            return resumeIfStopped();
        if (!jobOfRun(m_runs, m_run)) {
            forgetFailedJobs(m_runs, m_run);
            Job job;
            job.run = m_run;
            job.architecture = jobInputs(m_runs) / (m_run.filename().string() + ".architecture.json");
            job.recipe = jobInputs(m_runs) / (m_run.filename().string() + ".recipe.json");
            job.data = request.data;
            job.startFrom = request.startFrom;
            job.device = m_device;
            job.ranks = m_ranks;
            std::error_code ignored;
            fs::create_directories(jobInputs(m_runs), ignored);
            writeAtomically(job.architecture, std::string_view(request.architecture), "run.unwritable");
            writeAtomically(job.recipe, std::string_view(request.recipe), "run.unwritable");
            writeJob(nextJobFile(m_runs, m_run), job);
        }
        serve();
    }

    void resume() override {
        if (jobOfRun(m_runs, m_run) || handInAgain())
            serve();
        else
            resumeIfStopped();
    }

    void stop() override {
        // Only the queue that holds the job knows whether it has begun: the run's lock says it.
        if (FileLock::isLocked(RunPaths{m_run}.lock()))
            return askToStop(m_run);
        const auto file = jobOfRun(m_runs, m_run);
        if (!file)
            return;
        std::error_code ignored;
        std::optional<Job> job;
        try {
            job = readJob(*file);
        } catch (const Error&) { // its queue was faster
        }
        if (fs::remove(*file, ignored) && job)
            removeInputs(m_runs, *job);
    }

    LaunchStatus status() override {
        if (const auto job = jobOfRun(m_runs, m_run)) {
            if (!queueIsRunning(m_runs)) // the machine was started again, or the queue was ended
                serve();
            int before = 0;
            for (const fs::path& other : waitingJobs(m_runs)) {
                if (other == *job)
                    break;
                ++before;
            }
            return {true, before == 0   ? "Starting there."
                          : before == 1 ? "One job is ahead of it there."
                                        : std::to_string(before) + " jobs are ahead of it there."};
        }
        return {false, failure()};
    }

private:
    /// Puts a job back that was put aside before its run began. Returns whether there was one.
    bool handInAgain() const {
        if (fs::exists(RunPaths{m_run}.run()))
            return false;
        const auto aside = failedJobsOf(m_runs, m_run);
        if (aside.empty())
            return false;
        auto document = readStrictObject(aside.back(), "job.badJson");
        document.erase("error");
        writeAtomically(nextJobFile(m_runs, m_run), std::string_view(document.dump(2) + "\n"), "run.unwritable");
        forgetFailedJobs(m_runs, m_run);
        return true;
    }
    void resumeIfStopped() {
        if (!fs::exists(RunPaths{m_run}.run()) || !canResume(readRun(m_run).state))
            return;
        clearRequest(m_run);
        Job job;
        job.run = m_run;
        job.resume = true;
        job.device = m_device;
        job.ranks = m_ranks;
        writeJob(nextJobFile(m_runs, m_run), job);
        m_served = {};
        serve();
    }
    /// A queue needs a second or two before it holds its lock; in this time no other one is started.
    void serve() {
        const auto now = std::chrono::steady_clock::now();
        if (m_served && now - *m_served < kQueueStart)
            return;
        m_served = now;
        m_startQueue(m_runs);
    }

    std::string failure() const {
        for (const fs::path& file : failedJobsOf(m_runs, m_run)) {
            const auto said = readStrictObject(file, "job.badJson").value("error", nlohmann::json());
            if (said.is_string())
                return said.get<std::string>();
        }
        return {};
    }

    fs::path m_run, m_runs;
    std::string m_device;
    int m_ranks;
    StartQueue m_startQueue;
    std::optional<std::chrono::steady_clock::time_point> m_served; ///< when a queue was started last
};

} // namespace

std::unique_ptr<RunLauncher> queueLauncher(const fs::path& run, const std::string& device, int ranks, StartQueue startQueue) {
    return std::make_unique<QueueLauncher>(run, device, ranks, std::move(startQueue));
}

} // namespace headroom::training
