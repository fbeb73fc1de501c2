// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/worker_commands.h"
#include "core/errors/display_name.h"
#include "core/runs/run_folder.h"
#include "core/tensors/atomic_file.h"
#include "training/places/launch_here.h"
#include "training/places/slurm_folder.h"

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

class SlurmLauncher : public RunLauncher {
public:
    SlurmLauncher(fs::path run, const Place& place, int ranks, std::function<void()> meanwhile)
        : m_run(std::move(run)), m_place(place), m_ranks(ranks), m_job(m_run, m_run.parent_path(), place, std::move(meanwhile)) {}

    void begin(const RunInputs& request) override {
        // A job that ended before the run began is no reason against another one.
        if (m_job.hasJob() && (fs::exists(RunPaths{m_run}.run()) || m_job.waits()))
            return;
        if (m_job.isHeld())
            return;
        const int tasks = ranksPerNode(m_place, m_ranks);
        prepare(m_job, m_run, request, request.recipe, tasks);
        if (request.hold)
            return m_job.hold();
        if (request.array.empty())
            return m_job.submit();
        std::vector<fs::path> runs{m_run};
        for (const RunInputs::Element& element : request.array) {
            if (element.run.empty() || element.run.front() == '.' ||
                element.run.find('/') != std::string::npos)
                throw Error("stream.bad", "“" + validText(element.run) + "” is not the name of a run.");
            runs.push_back(m_run.parent_path() / element.run);
            prepare(SlurmFolder(runs.back(), m_run.parent_path(), m_place), runs.back(), request,
                    element.recipe, tasks);
        }
        m_job.submitArray(runs, tasks);
    }

    void resume() override {
        const bool began = fs::exists(RunPaths{m_run}.run());
        if (m_job.goesOn() || (began ? !canResume(readRun(m_run).state) : !m_job.hasScript()))
            return;
        clearRequest(m_run);
        m_job.submit();
        m_job.release();
    }

    void send(const std::string& script) override {
        if (!m_job.isHeld())
            return;
        if (!script.empty())
            m_job.replaceScript(script);
        try {
            resume();
        } catch (const Error& error) {
            m_job.hold(error.what());
        }
    }

    void stop() override {
        if (FileLock::isLocked(RunPaths{m_run}.lock()))
            return askToStop(m_run);
        m_job.release();
        m_job.cancel();
    }

    LaunchStatus status() override { return m_job.status(); }

private:
    /// Writes the documents and the script of a run.
    void prepare(const SlurmFolder& job, const fs::path& run, const RunInputs& request, const std::string& recipe, int tasks) const {
        const RunPaths paths{run};
        std::error_code ignored;
        fs::create_directories(run, ignored);
        writeAtomically(paths.architecture(), std::string_view(request.architecture), "run.unwritable");
        writeAtomically(paths.recipe(), std::string_view(recipe), "run.unwritable");
        TrainOptions train;
        train.architecture = paths.architecture();
        train.recipe = paths.recipe();
        train.data = request.data;
        train.startFrom = request.startFrom;
        train.run = run;
        train.device = deviceOfProcess(m_place); // of each rank; how many there are, srun says
        train.resume = true; // if Slurm starts the job again
        std::vector<std::string> command{job.worker()};
        for (const std::string& word : arguments(train))
            command.push_back(word);
        job.writeScript(command, tasks);
    }

    fs::path m_run;
    Place m_place;
    int m_ranks;
    SlurmFolder m_job;
};

} // namespace

std::unique_ptr<RunLauncher> slurmLauncher(const fs::path& run, const Place& place, int ranks, std::function<void()> meanwhile) {
    return std::make_unique<SlurmLauncher>(run, place, ranks, std::move(meanwhile));
}

} // namespace headroom::training
