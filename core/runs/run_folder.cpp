// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/run_folder.h"

#include "core/errors/display_name.h"
#include "core/runs/events.h"
#include "core/runs/kept_name.h"
#include "core/runs/strict_json.h"
#include "core/statistics/undefined.h"
#include "core/tensors/atomic_file.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sys/stat.h>

namespace headroom {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kRunFormat = "headroom/run";
constexpr const char* kUnwritable = "run.unwritable";
constexpr std::array kStates{RunState::Running, RunState::Stopped, RunState::Finished, RunState::Failed,
                             RunState::Interrupted};

/// Reads one key of run.json into a place of the same type; a key that is missing keeps the place's value, so
/// that an older file opens.
struct Reader {
    const json& object;
    const std::string& name;

    template <class T>
    void operator()(const char* key, T& place) const {
        const auto found = object.find(key);
        if (found == object.end() || found->is_null())
            return;
        constexpr bool isText = std::is_same_v<T, std::string>;
        if (isText ? !found->is_string() : !found->is_number_integer())
            throw Error("run.badJson",
                        name + ": “" + key + "” is " + found->dump().substr(0, 40) + ", not a " +
                            (isText ? "text." : "whole number."),
                        {{"file", name}, {"key", key}});
        place = found->get<T>();
    }
};

nlohmann::ordered_json toJson(const RunInfo& info) {
    nlohmann::ordered_json document;
    document["format"] = kRunFormat;
    document["version"] = 1;
    document["id"] = info.id;
    document["state"] = toText(info.state);
    document["error"] = info.error;
    document["created"] = info.created;
    document["started"] = info.started;
    document["ended"] = info.ended;
    document["host"] = info.host;
    document["process"] = info.process;
    document["versions"] = {{"headroom", info.version}, {"libtorch", info.libtorch}};
    document["seed"] = info.seed;
    document["parent"] = info.parent;
    document["startFrom"] = info.startFrom;
    document["data"] = info.data;
    document["decided"] = {{"precision", info.decided.precision},
                           {"threads", info.decided.threads},
                           {"device", info.decided.device},
                           {"dataHash", info.decided.dataHash}};
    if (!info.gpus.empty())
        document["gpus"] = info.gpus;
    if (info.decided.ranks > 1)
        document["decided"]["ranks"] = info.decided.ranks;
    if (info.decided.wantedRanks > info.decided.ranks)
        document["decided"]["wantedRanks"] = info.decided.wantedRanks;
    document["note"] = info.note;
    document["update"] = info.update;
    document["maxUpdates"] = info.maxUpdates;
    document["resumed"] = info.resumed;
    document["earlierSeconds"] = info.earlierSeconds;
    document["predictedBytes"] = info.predictedBytes;
    document["peakBytes"] = info.peakBytes;
    document["best"] = info.best;
    return document;
}

std::string utcText(std::time_t time) {
    std::tm parts{};
    ::gmtime_r(&time, &parts);
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return text;
}

/// Seconds since 1970 of "2026-11-21T10:31:05Z"; NaN if it is no such text.
double secondsOfUtc(const std::string& utc) {
    std::tm time{};
    if (std::sscanf(utc.c_str(), "%d-%d-%dT%d:%d:%d", &time.tm_year, &time.tm_mon, &time.tm_mday, &time.tm_hour, &time.tm_min,
                    &time.tm_sec) != 6)
        return kUndefined;
    time.tm_year -= 1900;
    time.tm_mon -= 1;
    return static_cast<double>(::timegm(&time));
}

const json& objectAt(const json& document, const char* key, const std::string& name) {
    static const json empty = json::object();
    const auto found = document.find(key);
    if (found == document.end())
        return empty;
    if (!found->is_object())
        throw Error("run.badJson", name + ": “" + key + "” is not an object.", {{"file", name}});
    return *found;
}

/// Returns the first line of a file without the blanks around it; empty: there is none.
std::string lineIn(const fs::path& file) {
    std::string line;
    std::getline(std::ifstream(file), line);
    const auto isBlank = [](unsigned char c) { return c <= ' '; };
    while (!line.empty() && isBlank(line.back()))
        line.pop_back();
    line.erase(line.begin(), std::find_if_not(line.begin(), line.end(), isBlank));
    return line;
}

/// Of the folder that a model is in, whether or not it is a run's.
RunPaths runAround(const fs::path& model) {
    return {(model.has_filename() ? model : model.parent_path()).parent_path()};
}

} // namespace

const char* toText(RunState state) {
    switch (state) {
    case RunState::Running:
        return "running";
    case RunState::Stopped:
        return "stopped";
    case RunState::Finished:
        return "finished";
    case RunState::Failed:
        return "failed";
    case RunState::Interrupted:
        return "interrupted";
    }
    return "";
}

bool canResume(RunState state) {
    return state == RunState::Stopped || state == RunState::Failed || state == RunState::Interrupted;
}

/// As run.json has it: whether somebody still writes it is not asked.
static RunInfo readWrittenRun(const RunPaths& paths) {
    const fs::path& folder = paths.folder;
    if (!fs::exists(paths.run()))
        throw Error("run.missing", folder.string() + " is not a run: it has no run.json.",
                    {{"folder", folder.string()}});
    const std::string name = displayName(folder) + "/run.json";
    const json document = parseStrictObject(readSmallFile(paths.run(), "run.missing"), name, "run.badJson");
    if (document.value("format", json()) != kRunFormat || document.value("version", json()) != 1)
        throw Error("run.badJson", name + " is not a run of version 1.", {{"file", name}});
    RunInfo info;
    const Reader read{document, name};
    std::string state;
    read("id", info.id);
    read("state", state);
    read("error", info.error);
    read("created", info.created);
    read("started", info.started);
    read("ended", info.ended);
    read("host", info.host);
    read("process", info.process);
    read("seed", info.seed);
    read("parent", info.parent);
    read("startFrom", info.startFrom);
    read("data", info.data);
    read("note", info.note);
    read("update", info.update);
    read("maxUpdates", info.maxUpdates);
    read("resumed", info.resumed);
    info.earlierSeconds = info.resumed > 0 ? -1 : 0; // of a run of an earlier version
    read("earlierSeconds", info.earlierSeconds);
    read("predictedBytes", info.predictedBytes);
    read("peakBytes", info.peakBytes);
    const Reader versions{objectAt(document, "versions", name), name};
    versions("headroom", info.version);
    versions("libtorch", info.libtorch);
    const Reader decided{objectAt(document, "decided", name), name};
    decided("precision", info.decided.precision);
    decided("threads", info.decided.threads);
    decided("device", info.decided.device);
    decided("dataHash", info.decided.dataHash);
    decided("ranks", info.decided.ranks);
    decided("wantedRanks", info.decided.wantedRanks);
    info.best = document.value("best", json());
    for (const json& gpu : document.value("gpus", json::array()))
        if (gpu.is_string())
            info.gpus.push_back(gpu.get<std::string>());
    const auto known =
        std::find_if(kStates.begin(), kStates.end(), [&](RunState one) { return state == toText(one); });
    if (known == kStates.end())
        throw Error("run.badJson", name + ": unknown state “" + state + "”.", {{"file", name}});
    info.state = *known;
    return info;
}

RunInfo readRun(const fs::path& folder) {
    const RunPaths paths{folder};
    RunInfo info;
    const auto saysRunning = [&] { return info = readWrittenRun(paths), info.state == RunState::Running; };
    if (FileLock::isAbandoned(paths.lock(), saysRunning))
        info.state = RunState::Interrupted;
    return info;
}

void writeRun(const fs::path& folder, const RunInfo& info) {
    writeAtomically(RunPaths{folder}.run(), std::string_view(toJson(info).dump(2) + "\n"), kUnwritable);
}

std::vector<RunInfo> listRuns(const fs::path& runs, std::vector<std::string>* problems) {
    std::vector<RunInfo> found;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(runs, ignored)) {
        if (!fs::exists(RunPaths{entry.path()}.run(), ignored))
            continue;
        try {
            found.push_back(readRun(entry.path()));
            found.back().id = entry.path().filename().string(); // a folder may have been renamed
        } catch (const Error& error) {
            if (problems)
                problems->emplace_back(error.what());
        }
    }
    std::sort(found.begin(), found.end(),
              [](const RunInfo& left, const RunInfo& right) { return left.id < right.id; });
    return found;
}

std::string nameOfResult(const fs::path& model, const std::string& architecture) {
    const fs::path folder = model.has_filename() ? model : model.parent_path();
    const RunPaths paths = runAround(model);
    if (folder.filename() != paths.model().filename() || architecture.empty())
        return {};
    try {
        const RunInfo run = readRun(paths.folder);
        std::string name;
        for (const fs::path& file : {paths.name(), startedAsFile(paths.folder), nameInput(paths.folder)})
            if (name.empty())
                name = lineIn(file);
        return (name.empty() ? architecture : name) + ", seed " + std::to_string(run.seed);
    } catch (const std::exception&) {
        return {}; // not in a run
    }
}

std::string nameOfResultsDesign(const fs::path& model, const std::string& architecture) {
    if (nameOfResult(model, architecture).empty())
        return {};
    const std::string given = lineIn(runAround(model).name());
    return given.empty() ? architecture : given;
}

FileLock takeRun(const fs::path& folder) {
    std::error_code problem;
    fs::create_directories(folder, problem);
    if (problem)
        throw Error(kUnwritable,
                    "The run " + folder.string() + " could not be created: " + problem.message() + ".",
                    {{"folder", folder.string()}});
    auto lock = FileLock::tryTake(RunPaths{folder}.lock(), kUnwritable);
    if (!lock)
        throw Error("run.inUse", "The run " + folder.string() + " is being written by another process.",
                    {{"folder", folder.string()}});
    return std::move(*lock);
}

void askToStop(const fs::path& folder) {
    writeAtomically(RunPaths{folder}.control(),
                    std::string_view("{ \"format\": \"headroom/run-control\", \"version\": 1, \"request\": "
                                     "\"stop\" }\n"),
                    kUnwritable);
}

RunRequest requestOf(const fs::path& folder) {
    const RunPaths paths{folder};
    std::error_code ignored;
    if (!fs::exists(paths.control(), ignored))
        return RunRequest::None;
    try {
        const json document = readStrictObject(paths.control(), "run.badJson");
        return document.value("request", json()) == "stop" ? RunRequest::Stop : RunRequest::None;
    } catch (const Error&) {
        return RunRequest::None;
    }
}

void clearRequest(const fs::path& folder) {
    std::error_code ignored;
    fs::remove(RunPaths{folder}.control(), ignored);
}

void countResume(const fs::path& folder, RunInfo& info) {
    ++info.resumed;
    double last = secondsOfUtc(info.ended); // empty if the process was killed
    for (const json& event : EventFollower(RunPaths{folder}.events()).poll())
        if (const auto time = event.find("time"); time != event.end() && time->is_number())
            last = std::isnan(last) ? time->get<double>() : std::max(last, time->get<double>());
    const double worked = last - secondsOfUtc(info.started);
    if (info.earlierSeconds >= 0 && worked > 0)
        info.earlierSeconds += std::llround(worked);
}

double workedSeconds(const RunInfo& info) {
    if (info.earlierSeconds < 0)
        return kUndefined;
    return static_cast<double>(info.earlierSeconds) + secondsOfUtc(info.ended) - secondsOfUtc(info.started);
}

std::string utcNow() {
    return utcText(std::chrono::system_clock::to_time_t(std::chrono::system_clock::now()));
}

std::string utcOfChange(const std::filesystem::path& file) {
    struct stat about {};
    return ::stat(file.c_str(), &about) == 0 ? utcText(about.st_mtim.tv_sec) : std::string();
}

} // namespace headroom
