// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/worker_commands.h"
#include "core/runs/run_folder.h"
#include "core/tensors/atomic_file.h"
#include "training/places/launch_here.h"
#include "training/places/slurm_folder.h"

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

class SlurmLauncher : public RunLauncher {
public:
    SlurmLauncher(fs::path run, const Place& place) : m_run(std::move(run)), m_job(m_run, m_run.parent_path(), place) {}

    void begin(const RunInputs& request) override {
        if (m_job.hasJob())
            return;
        const RunPaths paths{m_run};
        std::error_code ignored;
        fs::create_directories(m_run, ignored);
        writeAtomically(paths.architecture(), std::string_view(request.architecture), "run.unwritable");
        writeAtomically(paths.recipe(), std::string_view(request.recipe), "run.unwritable");
        TrainOptions train;
        train.architecture = paths.architecture();
        train.recipe = paths.recipe();
        train.data = request.data;
        train.startFrom = request.startFrom;
        train.run = m_run;
        train.resume = true; // if Slurm starts the job again
        std::vector<std::string> command{m_job.worker()};
        for (const std::string& word : arguments(train))
            command.push_back(word);
        m_job.writeScript(command);
        m_job.submit();
    }

    void resume() override {
        if (m_job.goesOn() || !canResume(readRun(m_run).state))
            return;
        clearRequest(m_run);
        m_job.submit();
    }

    void stop() override {
        if (FileLock::isLocked(RunPaths{m_run}.lock()))
            return askToStop(m_run);
        m_job.cancel();
    }

    LaunchStatus status() override { return m_job.status(); }

private:
    fs::path m_run;
    SlurmFolder m_job;
};

} // namespace

std::unique_ptr<RunLauncher> slurmLauncher(const fs::path& run, const Place& place) {
    return std::make_unique<SlurmLauncher>(run, place);
}

} // namespace headroom::training
