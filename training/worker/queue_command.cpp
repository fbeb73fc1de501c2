// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/jobs.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"
#include "training/worker/commands.h"
#include "training/worker/recordings.h"
#include "training/worker/termination.h"

#include <cerrno>
#include <chrono>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <system_error>
#include <thread>
#include <unistd.h>

extern char** environ;

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

/// Starts this program again with other arguments, its output at the end of `log`. `session`: with a session
/// of its own, so that it outlives who started it. Throws Error "queue.start".
pid_t startWorker(const std::vector<std::string>& arguments, const fs::path& log, bool session) {
    posix_spawn_file_actions_t files;
    ::posix_spawn_file_actions_init(&files);
    ::posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_addopen(&files, 1, log.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0666);
    ::posix_spawn_file_actions_adddup2(&files, 1, 2);
    posix_spawnattr_t attributes;
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, session ? POSIX_SPAWN_SETSID : 0);
    std::vector<std::string> words{"headroom-worker"};
    words.insert(words.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& word : words)
        pointers.push_back(word.data());
    pointers.push_back(nullptr);
    pid_t child = 0;
    const int problem =
        ::posix_spawn(&child, "/proc/self/exe", &files, &attributes, pointers.data(), environ);
    ::posix_spawn_file_actions_destroy(&files);
    ::posix_spawnattr_destroy(&attributes);
    if (problem != 0)
        throw Error("queue.start", "The worker could not be restarted: " +
                                       std::system_category().message(problem) + ".");
    return child;
}

std::vector<std::string> trainArguments(const fs::path& runs, const Job& job) {
    const auto absolute = [&](const fs::path& path) { return (runs / path).lexically_normal(); };
    TrainOptions train;
    train.run = absolute(job.run);
    // A job whose run is there already was interrupted with its queue.
    train.resume = job.resume || fs::exists(RunPaths{train.run}.run());
    if (job.resume)
        return arguments(train);
    train.architecture = absolute(job.architecture);
    train.recipe = absolute(job.recipe);
    train.data = absolute(job.data);
    if (!job.startFrom.empty())
        train.startFrom = absolute(job.startFrom).string();
    train.seed = job.seed;
    train.set = job.set;
    return arguments(train);
}

/// Waits for the child; passes a termination on, once.
int waitFor(pid_t child) {
    bool passed = false;
    for (;;) {
        int status = 0;
        const pid_t ended = ::waitpid(child, &status, WNOHANG);
        if (ended == child)
            return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
        if (ended < 0 && errno != EINTR)
            return 1;
        if (terminationFlag().load() && !passed) {
            ::kill(child, SIGTERM);
            passed = true;
        }
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
}

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

std::string lastLine(const fs::path& log) {
    std::string text;
    try {
        text = readSmallFile(log, "queue.log");
    } catch (const Error&) {
        return {};
    }
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text.substr(text.rfind('\n') + 1); // npos + 1 is 0
}

/// How often a run was begun or gone on with, 0 where there is none: whether a job reached its run.
std::int64_t livesOf(const fs::path& run) {
    try {
        return 1 + readRun(run).resumed;
    } catch (const Error&) {
        return 0;
    }
}

void doJob(const fs::path& runs, const fs::path& file, Console& console) {
    const std::string name = file.stem().string();
    try {
        const Job job = readJob(file);
        const fs::path log = queueFolder(runs) / (name + ".log");
        std::error_code ignored;
        fs::remove(log, ignored);
        console.note(name + ": " + job.run.string());
        const std::int64_t lives = livesOf(runs / job.run);
        const int status = waitFor(startWorker(trainArguments(runs, job), log, false));
        if (terminationFlag().load())
            return; // stopped, not done: the job waits for the next queue
        // A run says itself how it ended; a job that never reached one is told about here.
        if (status != 0 && livesOf(runs / job.run) == lives) {
            const std::string said = lastLine(log);
            putAside(runs, file,
                     said.empty() ? "The worker ended with status " + std::to_string(status) + "." : said);
        }
        fs::remove(log, ignored);
    } catch (const Error& error) {
        console.problem(error.what());
        putAside(runs, file, error.what());
    }
    std::error_code problem;
    fs::remove(file, problem);
    if (problem) // it would be done again without end
        throw Error("run.unwritable", file.string() + " could not be removed: " + problem.message() + ".");
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
        for (auto jobs = waitingJobs(runs); !jobs.empty() && !terminationFlag().load();
             jobs = waitingJobs(runs))
            doJob(runs, jobs.front(), console);
    }
}

} // namespace

void queue(const QueueOptions& options, Console& console) {
    const fs::path runs = fs::absolute(options.runs).lexically_normal();
    if (options.stay) {
        catchTermination();
        serveJobs(runs, console);
        return;
    }
    makeFolder(queueFolder(runs));
    startWorker(arguments(QueueOptions{runs, true}), queueFolder(runs) / "log.txt", true);
    console.line("The queue for " + runs.string() + " has started.");
}

} // namespace headroom::training
