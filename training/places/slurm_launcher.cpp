// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/shell_words.h"
#include "core/commands/worker_commands.h"
#include "core/errors/display_name.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"
#include "training/processes/child_process.h"
#include "training/places/launch_here.h"
#include "training/places/slurm.h"

#include <chrono>
#include <ctime>
#include <optional>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr const char* kUnwritableRun = "run.unwritable";
constexpr long long kNewJob = 30; // seconds in which squeue may not list a job yet

using Clock = std::chrono::steady_clock;
constexpr std::chrono::seconds kAskAgain{2};

/// Whether a state is one that a job stays in.
bool hasEnded(const std::string& state) {
    for (const char* open : {"PENDING", "RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "REQUEUED", "RESIZING", "SIGNALING",
                             "STAGE_OUT", "STOPPED"})
        if (state.rfind(open, 0) == 0)
            return false;
    return true;
}

std::string trimmedEnd(std::string text) {
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text;
}

/// What a program said, as one line: a message that goes on in the next line arrives as a half.
std::string oneLine(const std::string& text) {
    std::string line;
    for (const char c : trimmedEnd(validText(text)))
        c == '\n' ? line += "; " : line += c;
    return line;
}

class SlurmLauncher : public RunLauncher {
public:
    SlurmLauncher(fs::path run, Place place) : m_run(std::move(run)), m_place(std::move(place)) {
        m_place.host.clear(); // it is this machine
    }

    void begin(const RunInputs& request) override {
        if (readJobId())
            return;
        const RunPaths paths{m_run};
        std::error_code ignored;
        fs::create_directories(m_run, ignored);
        writeAtomically(paths.architecture(), std::string_view(request.architecture), kUnwritableRun);
        writeAtomically(paths.recipe(), std::string_view(request.recipe), kUnwritableRun);
        TrainOptions train;
        train.architecture = paths.architecture();
        train.recipe = paths.recipe();
        train.data = request.data;
        train.startFrom = request.startFrom;
        train.run = m_run;
        train.resume = true; // if Slurm starts the job again
        std::vector<std::string> command{worker()};
        for (const std::string& word : arguments(train))
            command.push_back(word);
        // One that a person has written or changed is kept.
        if (!fs::exists(script(), ignored))
            writeAtomically(script(),
                            std::string_view(sbatchScript(m_place, m_run.filename().string(), command)),
                            kUnwritableRun);
        submit();
    }

    void resume() override {
        if (const auto id = readJobId(); id && findJob(*id))
            return; // it waits or goes on
        if (!canResume(readRun(m_run).state))
            return;
        clearRequest(m_run);
        submit();
    }

    void stop() override {
        if (FileLock::isLocked(RunPaths{m_run}.lock()))
            return askToStop(m_run);
        if (const auto id = readJobId())
            runToEnd({"scancel", *id}, {}, std::chrono::seconds(20));
    }

    LaunchStatus status() override {
        const auto id = readJobId();
        if (!id)
            return {};
        try {
            if (const auto job = findJob(*id))
                return {true, waitingSentence(*job)};
        } catch (const Error& error) {
            // Not known is not ended.
            return {true,
                    std::string(error.what()) + " The state of job " + *id + " is unknown until it answers."};
        }
        if (*id != m_asked || Clock::now() - m_askedAt > kAskAgain) {
            m_asked = *id;
            m_askedAt = Clock::now();
            m_state = lastState(*id);
        }
        // squeue's answer may be older than the job.
        const bool isNew = static_cast<long long>(std::time(nullptr)) - m_submitted < kNewJob;
        if (isNew && (m_state.empty() || !hasEnded(m_state)))
            return {true, "Slurm job " + *id + " was sent."};
        return {false, endSentence(*id, m_state)};
    }

private:
    fs::path script() const { return m_run / "job.sh"; }
    fs::path jobFile() const { return m_run / "slurm.json"; }

    std::string worker() const {
        if (!m_place.worker.empty()) {
            Place of = m_place;
            of.folder = m_place.worker;
            return pathAt(of, "");
        }
        for (const char* below : {"worker/" HEADROOM_VERSION "/bin/headroom-worker", "worker/bin/headroom-worker"})
            if (const fs::path own = fs::absolute(pathAt(m_place, below)); fs::exists(own))
                return own.string();
        return "headroom-worker";
    }

    void submit() {
        const Ended ended = runToEnd({"sbatch", "--parsable", "--chdir=" + m_run.string(), script().string()},
                                     {}, std::chrono::seconds(60));
        const std::string id = ended.out.substr(0, ended.out.find_first_not_of("0123456789"));
        if (ended.status != 0 || id.empty())
            throw Error("slurm.sbatch", "sbatch refuses the job: " + oneLine(ended.err.empty() ? ended.out : ended.err));
        m_submitted = static_cast<long long>(std::time(nullptr));
        const nlohmann::ordered_json document{
            {"format", "headroom/slurm-job"}, {"version", 1}, {"job", id}, {"submitted", m_submitted}};
        writeAtomically(jobFile(), std::string_view(document.dump(2) + "\n"), kUnwritableRun);
    }

    std::optional<std::string> readJobId() {
        std::error_code ignored;
        if (!fs::exists(jobFile(), ignored))
            return std::nullopt;
        const auto document = readStrictObject(jobFile(), "run.badJson");
        const auto id = document.value("job", nlohmann::json());
        if (const auto time = document.value("submitted", nlohmann::json()); time.is_number_integer())
            m_submitted = time.get<long long>();
        return id.is_string() ? std::optional(id.get<std::string>()) : std::nullopt;
    }

    std::optional<SlurmJob> findJob(const std::string& id) const {
        for (const SlurmJob& job : jobsOfUser(m_run.parent_path()))
            if (job.id == id)
                return job;
        return std::nullopt;
    }

    /// From the accounting; where there is none, from what the controller still remembers.
    static std::string lastState(const std::string& id) {
        const Ended accounted = runToEnd(
            {"sacct", "--noheader", "--allocations", "--parsable2", "--jobs=" + id, "--format=State"}, {},
            std::chrono::seconds(20));
        if (accounted.status == 0 && !trimmedEnd(accounted.out).empty())
            return accounted.out;
        const Ended shown =
            runToEnd({"scontrol", "--oneliner", "show", "job", id}, {}, std::chrono::seconds(20));
        const std::string key = "JobState=";
        const auto at = shown.out.find(key);
        return at == std::string::npos
                   ? std::string()
                   : shown.out.substr(at + key.size(), shown.out.find(' ', at) - at - key.size());
    }

    fs::path m_run;
    Place m_place;
    long long m_submitted = 0;
    std::string m_asked, m_state; ///< a job, and its last state as Slurm told it
    Clock::time_point m_askedAt{};
};

} // namespace

std::unique_ptr<RunLauncher> slurmLauncher(const fs::path& run, const Place& place) {
    return std::make_unique<SlurmLauncher>(run, place);
}

} // namespace headroom::training
