// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/runs_there.h"

#include "core/runs/jobs.h"
#include "core/runs/run_folder.h"
#include "core/runs/strict_json.h"
#include "training/places/connection.h"
#include "training/places/follower_stream.h"
#include "training/places/last_line.h"
#include "training/places/slurm_folder.h"
#include "training/places/worker_start.h"

#include <algorithm>
#include <set>
#include <sstream>
#include <utility>

namespace headroom::training {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char *kWaits = "waiting", *kUnknown = "unknown";

bool hasSlurmJob(const fs::path& run) {
    std::error_code ignored;
    return fs::exists(run / "slurm.json", ignored);
}

/// Slurm's jobs of this user, asked for once, when the first run needs to know.
class JobsThere {
public:
    JobsThere(fs::path runs, const Place& place) : m_runs(std::move(runs))
                                                 , m_place(place) {}
    /// Whether Slurm has the run's job; nullopt: nobody can say, and `why` gets the reason.
    std::optional<bool> has(const fs::path& run, std::string& why) {
        try {
            const auto id = SlurmFolder(run, m_runs, m_place).job();
            if (!id)
                return false;
            ask();
            why = m_why;
            return m_why.empty() ? std::optional(m_jobs.contains(*id)) : std::nullopt;
        } catch (const Error& error) { // its own file cannot be read
            why = error.what();
            return std::nullopt;
        }
    }

private:
    void ask() {
        if (std::exchange(m_asked, true))
            return;
        try {
            for (const SlurmJob& job : jobsOfUser(m_runs))
                m_jobs.insert(job.id);
        } catch (const Error& error) {
            m_why = error.what();
        }
    }

    fs::path m_runs;
    const Place& m_place;
    bool m_asked = false;
    std::set<std::string> m_jobs;
    std::string m_why;
};

/// Of the last events; 0: they name none.
std::int64_t lastUpdate(const fs::path& events) {
    constexpr std::uint64_t kTail = 16384;
    std::error_code missing;
    const auto size = fs::file_size(events, missing);
    if (missing)
        return 0;
    std::istringstream lines(bytesOf(events, size > kTail ? size - kTail : 0, kTail));
    std::int64_t update = 0;
    for (std::string line; std::getline(lines, line);)
        if (const json event = json::parse(line, nullptr, false); event.is_object() && event.value("update", json()).is_number_integer())
            update = event["update"].get<std::int64_t>();
    return update;
}

json runWithout(const fs::path& run, const char* state) {
    return {{"name", run.filename().string()}, {"title", run.filename().string()}, {"state", state}, {"update", 0}, {"maxUpdates", 0},
            {"seed", nullptr},                 {"created", ""}};
}

bool isFolderName(const std::string& name) {
    return !name.empty() && name.front() != '.' && name.find('/') == std::string::npos && name.find('\0') == std::string::npos;
}

/// The run's own words; nullopt if the folder holds none that can be read.
std::optional<json> runIn(const fs::path& run, JobsThere& jobs) {
    try {
        const RunInfo info = readRun(run);
        const std::int64_t update = std::max(info.update, lastUpdate(RunPaths{run}.events()));
        std::string state = toText(info.state), title = run.filename().string();
        std::string why;
        if (info.state == RunState::Interrupted && hasSlurmJob(run)) {
            const auto there = jobs.has(run, why); // it goes on elsewhere in the cluster, or is queued again
            state = !there ? kUnknown : *there ? kWaits : state;
        }
        try {
            if (const json name = readStrictObject(RunPaths{run}.architecture(), "run.badJson").value("name", json()); name.is_string())
                title = name.get<std::string>();
        } catch (const Error&) {
            title = run.filename().string();
        }
        json found{{"name", run.filename().string()}, {"title", title},     {"state", state},          {"update", update},
                   {"maxUpdates", info.maxUpdates},   {"seed", info.seed}, {"created", info.created}};
        if (state == kUnknown)
            found["why"] = why;
        return found;
    } catch (const Error&) {
        return std::nullopt;
    }
}

} // namespace

json runsIn(const fs::path& runs, const Place& place) {
    std::vector<json> found, unknown;
    std::set<fs::path> waiting;
    JobsThere jobs(runs, place);
    for (const fs::path& file : waitingJobs(runs))
        try {
            waiting.insert((runs / readJob(file).run).lexically_normal());
        } catch (const Error&) {
            continue; // the queue says what is wrong with it
        }
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(runs, ignored)) {
        const fs::path& run = entry.path();
        if (!entry.is_directory(ignored))
            continue;
        if (auto one = runIn(run, jobs)) {
            found.push_back(std::move(*one));
            waiting.erase(run);
        } else if (hasSlurmJob(run)) {
            std::string why;
            const auto there = jobs.has(run, why);
            if (there.value_or(false))
                waiting.insert(run);
            if (!there) {
                unknown.push_back(runWithout(run, kUnknown));
                unknown.back()["why"] = why;
            }
        }
    }
    std::sort(found.begin(), found.end(), [](const json& a, const json& b) { return a["created"] > b["created"]; });
    json list = json::array();
    for (const fs::path& run : waiting)
        list.push_back(runWithout(run, kWaits));
    for (json& run : unknown)
        list.push_back(std::move(run));
    for (json& run : found)
        list.push_back(std::move(run));
    return list;
}

json runsAt(const Place& place) {
    std::vector<std::string> words{"places", "kept", pathAt(place, "runs")};
    if (place.kind == Place::Kind::Slurm)
        words.emplace_back("--slurm");
    const Ended ended = runAt(place, workerAt(place, words), {}, std::chrono::minutes(1));
    const auto mark = ended.out.rfind(kRunsMark);
    const json list = ended.status == 0 && mark != std::string::npos
                          ? json::parse(ended.out.substr(mark + std::string_view(kRunsMark).size()), nullptr, false)
                          : json();
    if (list.is_array()) {
        json named = json::array(); // a run's folder here gets the name
        for (const json& run : list)
            if (const json name = run.is_object() ? run.value("name", json()) : json(); name.is_string() && isFolderName(name.get<std::string>()))
                named.push_back(run);
        return named;
    }
    if (const std::string why = ended.status == 0 ? std::string() : whyNoWorker(place, ended.err); !why.empty())
        throw Error("place.worker", "headroom-worker does not start at " + place.name + ". " + why);
    const std::string said = lastLine(ended.err);
    throw Error("place.worker", "The worker at " + place.name + " did not list its runs" + (said.empty() ? "" : ": " + said) +
                                    ". Test the place to see what is missing.");
}

} // namespace headroom::training
