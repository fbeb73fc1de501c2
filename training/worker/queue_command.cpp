// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/commands/job_options.h"
#include "core/places/run_place.h"
#include "core/runs/jobs.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"
#include "training/processes/start_worker.h"
#include "training/worker/commands.h"
#include "training/worker/documents/start_model.h"
#include "training/worker/documents/train_documents.h"
#include "training/worker/place_runs.h"
#include "training/worker/recordings.h"
#include "training/worker/termination.h"
#include "training/worker/train_at_place.h"
#include "training/worker/turn.h"

#include <algorithm>
#include <chrono>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <future>
#include <map>
#include <sys/prctl.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kArrayPatience{3};

/// The job is put aside with the reason; what it asked for stays readable.
void putAside(const fs::path& runs, const fs::path& file, const std::string& sentence) {
    nlohmann::json document;
    try {
        document = readStrictObject(file, "job.badJson");
    } catch (const Error&) {
        document = nlohmann::json::object();
    }
    document["error"] = sentence;
    makeFolder(failedJobs(runs));
    writeAtomically(failedJobs(runs) / file.filename(), std::string_view(document.dump(2) + "\n"),
                    "run.unwritable");
}

/// How often a run was begun or gone on with, 0 where there is none: whether a job reached its run.
std::int64_t livesOf(const fs::path& run) {
    try {
        return 1 + readRun(run).resumed;
    } catch (const Error&) {
        return 0;
    }
}

std::optional<Job> jobIn(const fs::path& file) {
    try {
        return readJob(file);
    } catch (const Error&) {
        return std::nullopt; // it has its own turn, and is put aside
    }
}

/// Whether an evaluation says itself how it ended.
bool evaluationEnded(const fs::path& folder) {
    try {
        const auto state = readEvaluation(folder).state;
        return state != EvaluationInfo::State::Running && state != EvaluationInfo::State::Interrupted;
    } catch (const Error&) {
        return false;
    }
}

/// Whether a job is computed elsewhere. Then it does not wait for those of this machine: that place has an
/// order of its own.
bool isElsewhere(const fs::path& runs, const Job& job) {
    std::error_code ignored;
    return !job.place.empty() || fs::exists(runPlaceFile(runs / job.run), ignored);
}

std::vector<std::string> argumentsOf(const fs::path& runs, const Job& job) {
    if (!job.evaluation)
        return arguments(trainOptionsOf(runs, job));
    auto words = arguments(*job.evaluation, (runs / job.run).lexically_normal());
    if (isElsewhere(runs, job)) // it goes on there when the queue ends, as a training does
        words.emplace_back("--leave");
    return words;
}

/// The jobs that are being done. One of this machine at a time, in a process of its own; any number elsewhere, watched by this
/// process.
class RunningJobs {
public:
    RunningJobs(fs::path runs, Console& console) : m_runs(std::move(runs)), m_console(console) {}

    bool isEmpty() const { return m_running.empty() && !m_waits; }

    /// Starts what can be started now.
    void start() {
        m_waits = false;
        for (const fs::path& file : waitingJobs(m_runs)) {
            if (m_running.contains(file))
                continue;
            try {
                const Job job = readJob(file);
                if (isRunning(file, job))
                    continue;
                const bool elsewhere = isElsewhere(m_runs, job);
                if (!elsewhere && (hasLocal() || !takeTurn(file)))
                    continue;
                if (!job.evaluation && isAtPlace(trainOptionsOf(m_runs, job))) {
                    watch(file, job);
                    continue;
                }
                const fs::path log = logOf(file);
                std::error_code ignored;
                fs::remove(log, ignored);
                m_console.note(file.stem().string() + ": " + job.run.string());
                const std::int64_t lives = livesOf(m_runs / job.run);
                if (job.evaluation) // one that fails says why in it; by itself it leaves no folder
                    makeFolder(m_runs / job.run);
                m_running[file] = {startWorker(argumentsOf(m_runs, job), log, WorkerLife::Child), {}, m_runs / job.run, lives,
                                   elsewhere};
            } catch (const Error& error) {
                if (std::error_code ignored; !fs::exists(file, ignored))
                    continue; // it was removed meanwhile
                m_console.problem(error.what());
                putAside(m_runs, file, error.what());
                remove(file);
            }
        }
    }

    /// Takes in what has ended, and what is not wanted any more.
    void collect() {
        takeBackRemoved();
        for (auto one = m_running.begin(); one != m_running.end();) {
            const auto ended = endOf(one->first, one->second);
            if (!ended) {
                ++one;
                continue;
            }
            const fs::path file = one->first;
            const Running running = std::move(one->second);
            one = m_running.erase(one);
            if (!terminationFlag().load()) // stopped is not done: the job waits for the next queue
                settle(file, running, *ended);
        }
        if (!hasLocal())
            m_turn.giveBack();
    }

    void terminate() {
        for (const auto& [file, running] : m_running)
            if (running.process > 0)
                ::kill(running.process, SIGTERM);
        m_waits = false;
        m_places.leave();
    }

private:
    struct Running {
        pid_t process = 0;               ///< 0: this process watches it
        std::future<PlaceRuns::End> end; ///< then
        fs::path run;
        std::int64_t lives = 0; ///< before it was started
        bool elsewhere = false;
    };

    /// Whether this process does the job already: its file may have another name now.
    bool isRunning(const fs::path& file, const Job& job) const {
        return m_running.contains(file) || std::any_of(m_running.begin(), m_running.end(), [&](const auto& one) {
                   return one.second.elsewhere && one.second.run == m_runs / job.run;
               });
    }
    /// A job whose file was removed is not wanted any more; one that was moved has another name.
    void takeBackRemoved() {
        std::vector<fs::path> gone;
        std::error_code ignored;
        for (const auto& [file, running] : m_running)
            if (running.process == 0 && !fs::exists(file, ignored))
                gone.push_back(file);
        for (const fs::path& file : gone) {
            const auto moved = jobOfRun(m_runs, m_running[file].run);
            if (!moved) {
                m_places.takeBack(runFolderOf(watchOptions(m_running[file].run)));
                continue;
            }
            auto node = m_running.extract(file);
            node.key() = *moved;
            m_running.insert(std::move(node));
        }
    }
    static TrainOptions watchOptions(const fs::path& run) {
        TrainOptions options;
        options.run = run;
        return options;
    }
    bool hasLocal() const {
        return std::ranges::any_of(m_running, [](const auto& one) { return !one.second.elsewhere; });
    }
    /// Otherwise the job waits, which is said once.
    bool takeTurn(const fs::path& file) {
        const bool ours = m_turn.take();
        if (!ours && !std::exchange(m_saidWaiting, true))
            m_console.note(waitsForTurn(file.stem().string()));
        m_saidWaiting = m_saidWaiting && !ours;
        m_waits = m_waits || !ours;
        return ours;
    }
    /// Watches a run elsewhere, with those that are one job array with it: they are handed in together.
    void watch(const fs::path& file, const Job& job) {
        std::vector<std::pair<fs::path, Job>> together{{file, job}};
        if (!job.array.empty()) {
            together.clear();
            for (const fs::path& other : waitingJobs(m_runs))
                if (const auto one = jobIn(other); one && one->array == job.array && !m_running.contains(other))
                    together.emplace_back(other, *one);
            // Their files are written one after the other. One that was taken back is not waited for long.
            const auto now = std::chrono::steady_clock::now();
            const auto seen = m_arrays.emplace(job.array.front(), now).first->second;
            if (together.size() < job.array.size() && now - seen < kArrayPatience) {
                m_waits = true;
                return;
            }
        }
        std::vector<TrainOptions> runs;
        for (const auto& [each, one] : together) {
            m_console.note(each.stem().string() + ": " + one.run.string());
            runs.push_back(withStartModel(trainOptionsOf(m_runs, one)));
        }
        std::vector<std::int64_t> lives;
        for (const auto& [each, one] : together)
            lives.push_back(livesOf(m_runs / one.run));
        auto ends = m_places.watch(runs);
        for (std::size_t i = 0; i < together.size(); ++i)
            m_running[together[i].first] = {0, std::move(ends[i]), m_runs / together[i].second.run, lives[i], true};
    }

    struct End {
        int status = 0;
        std::string said; ///< why it is not 0, where that is known
    };
    std::optional<End> endOf(const fs::path& file, Running& running) const {
        if (running.process > 0) {
            const auto status = endedStatus(running.process);
            return status ? std::optional(End{*status, lastLineOfLog(logOf(file))}) : std::nullopt;
        }
        if (running.end.wait_for(std::chrono::seconds(0)) != std::future_status::ready)
            return std::nullopt;
        try {
            const auto state = running.end.get();
            const std::string problem = state ? problemOfRun(watchOptions(running.run), *state) : std::string();
            return End{problem.empty() ? 0 : 1, problem};
        } catch (const Error& error) {
            return End{error.code() == "place.takenBack" ? 0 : 1, error.what()}; // as it was wanted
        } catch (const std::exception& error) {
            return End{1, error.what()};
        }
    }
    fs::path logOf(const fs::path& file) const {
        return queueFolder(m_runs) / (file.stem().string() + ".log");
    }

    void settle(const fs::path& file, const Running& running, const End& end) const {
        // A run and an evaluation say how they ended; of a job that never reached one, and was not removed meanwhile, it is said here.
        std::error_code ignored;
        const bool removed = !fs::exists(file, ignored);
        const auto job = jobIn(file);
        if (job && job->evaluation && fs::is_empty(running.run, ignored)) // nothing was written
            fs::remove(running.run, ignored);
        if (end.status != 0 && !removed && livesOf(running.run) == running.lives && !evaluationEnded(running.run))
            putAside(m_runs, file,
                     end.said.empty() ? "The worker ended with status " + std::to_string(end.status) + "." : end.said);
        fs::remove(logOf(file), ignored);
        remove(file);
        if (job && end.status == 0 && running.elsewhere && livesOf(running.run) == 0) // its place has given it back
            removeInputs(m_runs, *job);
    }
    static void remove(const fs::path& file) {
        std::error_code problem;
        fs::remove(file, problem);
        if (problem) // it would be done again without end
            throw Error("run.unwritable",
                        file.string() + " could not be removed: " + problem.message() + ".");
    }

    fs::path m_runs;
    Console& m_console;
    Turn m_turn{m_runs, false}; ///< for a job of this machine
    bool m_waits = false;       ///< a job for it, or for the others of its array
    bool m_saidWaiting = false; ///< for the turn
    PlaceRuns m_places{{}, PlaceRuns::Ends::ByOwner}; ///< silent: place.json and the runs say it
    std::map<fs::path, std::chrono::steady_clock::time_point> m_arrays; ///< by their first run: when it was seen
    std::map<fs::path, Running> m_running;
};

/// Until no job waits or is being done, or a signal came.
void doJobs(const fs::path& runs, Console& console) {
    RunningJobs jobs(runs, console);
    bool passed = false;
    const auto began = std::chrono::steady_clock::now();
    for (;;) {
        jobs.collect();
        if (!terminationFlag().load())
            jobs.start();
        else if (!passed) {
            jobs.terminate();
            passed = true;
        }
        if (jobs.isEmpty())
            return;
        const bool isNew = std::chrono::steady_clock::now() - began < kArrayPatience; // several jobs come at once
        std::this_thread::sleep_for(isNew ? std::chrono::milliseconds(50) : std::chrono::milliseconds(200));
    }
}

void serveJobs(const fs::path& runs, Console& console) {
    makeFolder(queueFolder(runs));
    // Looked at once more after the lock is given back: a job may have come while we were ending.
    while (!waitingJobs(runs).empty() && !terminationFlag().load()) {
        std::optional<FileLock> lock;
        // The queue that holds it may be about to end without having seen our job.
        for (int attempt = 0; attempt < 20 && !lock; ++attempt) {
            lock = FileLock::tryTake(queueLock(runs), "run.unwritable");
            if (!lock)
                std::this_thread::sleep_for(std::chrono::milliseconds(100));
        }
        if (!lock) {
            console.note("Another queue is already running for " + runs.string() + ".");
            return;
        }
        doJobs(runs, console);
    }
}

} // namespace

void startQueue(const fs::path& runs) {
    makeFolder(queueFolder(runs));
    startWorker(arguments(QueueOptions{runs, true}), queueFolder(runs) / "log.txt", WorkerLife::Session);
}

void forkQueue(const fs::path& runs) {
    makeFolder(queueFolder(runs));
    const pid_t child = ::fork();
    if (child < 0)
        throw Error("queue.start", "The queue could not be started: " + std::system_category().message(errno) + ".");
    if (child > 0)
        return;
    ::setsid();
    ::prctl(PR_SET_NAME, "headroom-queue");
    const int input = ::open("/dev/null", O_RDONLY | O_CLOEXEC);
    const int log = ::open((queueFolder(runs) / "log.txt").c_str(), O_CREAT | O_WRONLY | O_APPEND | O_CLOEXEC, 0666);
    ::dup2(input, 0);
    for (const int stream : {1, 2}) // ssh waits until nobody holds them
        ::dup2(log, stream);
    Console console(false);
    try {
        catchTermination();
        serveJobs(runs, console);
    } catch (const std::exception& error) {
        console.problem(error.what());
    }
    ::_exit(console.finish());
}

void queue(const QueueOptions& options, Console& console) {
    const fs::path runs = fs::absolute(options.runs).lexically_normal();
    if (std::error_code ignored; !fs::is_directory(runs, ignored)) // mistyped: who has no run yet has no job either
        throw Error("queue.missing", "The folder " + options.runs.string() + " does not exist.", {{"runs", runs.string()}});
    if (options.stay) {
        catchTermination();
        serveJobs(runs, console);
        return;
    }
    if (waitingJobs(runs).empty()) {
        console.line("No job is waiting in " + runs.string() + ".");
        return;
    }
    const bool isRunning = queueIsRunning(runs);
    startQueue(runs); // even so: the one that runs may be about to end without having seen the newest job
    console.line("The queue for " + runs.string() + (isRunning ? " is already running." : " has started."));
}

} // namespace headroom::training
