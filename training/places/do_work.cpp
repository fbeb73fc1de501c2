// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/do_work.h"

#include "core/runs/file_lock.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"
#include "training/processes/start_worker.h"

#include <chrono>
#include <csignal>
#include <thread>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr const char* kBadWork = "work.badJson";
constexpr int kLooksPerSignal = 10;

std::vector<std::string> wordsOf(const WorkPaths& paths) {
    const json document = readStrictObject(paths.job(), kBadWork);
    std::vector<std::string> words;
    for (const json& word : document.value("words", json::array()))
        words.push_back(word.is_string() ? word.get<std::string>() : std::string());
    if (words.empty())
        throw Error(kBadWork, paths.job().string() + " names no command.");
    return words;
}

/// The words that continue a study which the same words have begun.
std::vector<std::string> continuing(const std::vector<std::string>& words, const fs::path& out) {
    std::vector<std::string> all{"study", "--out", out.string(), "--resume"};
    for (std::size_t i = 1; i < words.size(); ++i)
        if (words[i] == "--figures")
            all.push_back(words[i]);
        else if (i + 1 < words.size() && (words[i] == "--threads" || words[i] == "--device" || words[i] == "--cache"))
            all.insert(all.end(), {words[i], words[i + 1]});
    return all;
}

} // namespace

void writeWork(const WorkPaths& paths, const std::vector<std::string>& words, const std::map<std::string, std::string>& known) {
    std::error_code ignored;
    fs::create_directories(paths.folder, ignored);
    const nlohmann::ordered_json document{{"format", "headroom/work"}, {"version", 1}, {"words", words}, {"paths", known}};
    writeAtomically(paths.job(), std::string_view(document.dump(2, ' ', false, json::error_handler_t::replace) + "\n"),
                    "run.unwritable");
}

std::optional<int> endedWork(const WorkPaths& paths) {
    std::error_code ignored;
    if (!fs::exists(paths.status(), ignored))
        return std::nullopt;
    const json status = readStrictObject(paths.status(), kBadWork).value("status", json());
    return status.is_number_integer() ? status.get<int>() : 1;
}

void doWork(const WorkPaths& paths, const std::atomic<bool>& stop) {
    const auto lock = FileLock::tryTake(paths.lock(), "run.unwritable");
    if (!lock || endedWork(paths))
        return;
    std::vector<std::string> words = wordsOf(paths);
    if (words.front() == "study" && fs::exists(paths.out() / "study.json"))
        words = continuing(words, paths.out());
    const pid_t child = startWorker(words, paths.output(), WorkerLife::WithParent, paths.errors());
    std::optional<int> status;
    // Again and again: between fork and exec the child still has the handler of this process, which only takes a note.
    for (int look = 0; !(status = endedStatus(child)); ++look) {
        if (look % kLooksPerSignal == 0 && (stop.load() || requestOf(paths.folder) == RunRequest::Stop))
            ::kill(child, SIGTERM);
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
    // A signal that came from outside, as from Slurm before it starts the job again: the command has not ended.
    if (stop.load() && requestOf(paths.folder) != RunRequest::Stop)
        return;
    clearRequest(paths.folder);
    const nlohmann::ordered_json document{{"format", "headroom/work-status"}, {"version", 1}, {"status", *status}};
    writeAtomically(paths.status(), std::string_view(document.dump() + "\n"), "run.unwritable");
}

} // namespace headroom::training
