// SPDX-License-Identifier: GPL-3.0-or-later
// Stands in for `headroom-worker queue RUNS`: does the jobs, writes run folders, and misbehaves as
// HEADROOM_FAKE_MODE says:
//   good
//   crash     aborts in the middle of a line
//   rubbish   writes lines that are no events between those that are
//   stubborn  ignores SIGTERM and control.json until it is through
// It takes one step, and further ones as RUNS/queue/allowed says: the number of the last step that may be taken. So a
// test sees every state for as long as it looks, however slow the machine is.
#include "core/runs/events.h"
#include "core/runs/jobs.h"
#include "core/runs/run_folder.h"

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <thread>
#include <unistd.h>

using namespace headroom;
namespace fs = std::filesystem;

namespace {

std::int64_t allowedSteps(const fs::path& runs) {
    std::int64_t allowed = 1;
    std::ifstream(runs / "queue" / "allowed") >> allowed;
    return std::max<std::int64_t>(allowed, 1);
}

void put(const fs::path& file, const std::string& bytes) {
    fs::create_directories(file.parent_path());
    std::ofstream(file, std::ios::binary) << bytes;
}

void train(const fs::path& runs, const fs::path& folder, const Job& job, const std::string& mode) {
    const FileLock lock = takeRun(folder);
    const RunPaths paths{folder};
    RunInfo info;
    if (job.resume) {
        info = readRun(folder);
        ++info.resumed;
    } else {
        fs::copy_file(job.architecture, paths.architecture(), fs::copy_options::overwrite_existing);
        fs::copy_file(job.recipe, paths.recipe(), fs::copy_options::overwrite_existing);
        info.created = utcNow();
        info.seed = job.seed.value_or(1);
        info.data = job.data.string();
        info.startFrom = job.startFrom;
        info.maxUpdates = 20;
    }
    info.id = folder.filename().string();
    info.state = RunState::Running;
    info.started = utcNow();
    clearRequest(folder);
    writeRun(folder, info);
    EventWriter events(paths.events());
    if (job.resume)
        events.add({{"event", "resumed"}, {"update", info.update}});
    put(paths.log(), "2026-11-21T10:00:00Z  begins\n");
    for (std::int64_t update = info.update + 1; update <= info.maxUpdates; ++update) {
        events.add({{"event", "step"},
                    {"update", update},
                    {"loss", 5.0 / static_cast<double>(update)},
                    {"learningRate", 1e-3},
                    {"framesPerSecond", 1000},
                    {"secondsLeft", 20 - update}});
        if (mode == "rubbish")
            std::ofstream(paths.events(), std::ios::app | std::ios::binary)
                << "\x00\xff not json\n[1, 2]\n{\"event\":\n";
        if (mode == "crash" && update == 7) {
            std::ofstream(paths.events(), std::ios::app) << "{\"event\": \"step\", \"upd" << std::flush;
            std::abort();
        }
        if (update % 5 == 0) {
            events.add(
                {{"event", "validation"}, {"update", update}, {"loss", 1.5}, {"wer", 50.0}, {"bleu", 10.0}});
            info.update = update;
            info.best = {{"update", update}, {"loss", 1.5}, {"wer", 50.0}, {"bleu", 10.0}};
            put(paths.samples() / ("step-" + std::to_string(100000 + update) + ".json"),
                R"({"format": "headroom/samples", "version": 1, "update": )" + std::to_string(update) +
                    R"(, "examples": [{"id": "u1", "reference": "a b", "hypothesis": "a c"}]})");
            writeRun(folder, info);
        }
        const auto isAskedToStop = [&] { return mode != "stubborn" && requestOf(folder) == RunRequest::Stop; };
        while (update >= allowedSteps(runs) && !isAskedToStop())
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        if (isAskedToStop()) {
            clearRequest(folder);
            info.update = update;
            info.state = RunState::Stopped;
            info.ended = utcNow();
            events.add({{"event", "stopped"}, {"update", update}});
            writeRun(folder, info);
            return;
        }
    }
    put(paths.model() / "model.safetensors", "weights");
    info.state = RunState::Finished;
    info.ended = utcNow();
    events.add({{"event", "finished"}, {"update", info.maxUpdates}});
    writeRun(folder, info);
}

} // namespace

int main(int argc, char** argv) {
    // What `devices --json` prints on a machine with GPUs.
    if (const char* devices = std::getenv("HEADROOM_FAKE_DEVICES"); devices && argc > 1 && std::strcmp(argv[1], "devices") == 0)
        return std::puts(devices) < 0 ? 1 : 0;
    if (argc < 3 || std::strcmp(argv[1], "queue") != 0)
        return 2;
    const char* set = std::getenv("HEADROOM_FAKE_MODE");
    const std::string mode = set ? set : "good";
    if (mode == "stubborn")
        std::signal(SIGTERM, SIG_IGN);
    const fs::path runs = argv[2];
    const auto lock = FileLock::tryTake(queueLock(runs), "queue.lock");
    if (!lock)
        return 0;
    std::ofstream(runs / "queue" / "session.txt") << ::getsid(0) << ' ' << ::getpid();
    for (auto jobs = waitingJobs(runs); !jobs.empty(); jobs = waitingJobs(runs)) {
        const Job job = readJob(jobs.front());
        train(runs, job.run.is_absolute() ? job.run : runs / job.run, job, mode);
        fs::remove(jobs.front());
    }
    return 0;
}
