// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/runs/jobs.h"

#include "core/errors/display_name.h"
#include "core/runs/file_lock.h"
#include "core/runs/strict_json.h"
#include "core/tensors/atomic_file.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <set>

namespace headroom {

using nlohmann::json;
namespace fs = std::filesystem;

namespace {

constexpr const char* kJobFormat = "headroom/job";
constexpr std::uint64_t kMostRanksOfJob = 1024;

std::vector<fs::path> jobsIn(const fs::path& folder) {
    std::vector<fs::path> jobs;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".json" && entry.is_regular_file(ignored))
            jobs.push_back(entry.path());
    std::sort(jobs.begin(), jobs.end());
    return jobs;
}

std::string textAt(const json& document, const char* key, const std::string& name, bool needed) {
    const auto found = document.find(key);
    if (found == document.end() || found->is_null()) {
        if (needed)
            throw Error("job.value", name + ", " + key + ": this key is missing.", {{"file", name}});
        return {};
    }
    if (!found->is_string() || (needed && found->get<std::string>().empty()))
        throw Error("job.value", name + ", " + key + ": this must be a text in quotes.", {{"file", name}});
    return found->get<std::string>();
}

EvaluationRequest evaluationOf(const json& document, const std::string& name) {
    if (!document.is_object())
        throw Error("job.value", name + ", evaluation: this must be an object.", {{"file", name}});
    EvaluationRequest request;
    request.model = textAt(document, "model", name, true);
    request.data = textAt(document, "data", name, true);
    request.split = textAt(document, "split", name, true);
    request.task = textAt(document, "task", name, false);
    if (const std::string checkpoint = textAt(document, "checkpoint", name, false); !checkpoint.empty())
        request.checkpoint = checkpoint;
    if (const std::string device = textAt(document, "device", name, false); !device.empty())
        request.device = device;
    if (const auto beam = document.find("beam"); beam != document.end()) {
        if (!beam->is_number_unsigned())
            throw Error("job.value", name + ", beam: this must be a whole number from 1.", {{"file", name}});
        request.beam = std::max<std::int64_t>(beam->get<std::int64_t>(), 1);
    }
    if (const auto options = document.find("options"); options != document.end())
        readOptions(*options, request, name);
    return request;
}

json documentOf(const EvaluationRequest& request) {
    json document{{"model", request.model.string()}, {"checkpoint", request.checkpoint}, {"data", request.data.string()},
                  {"split", request.split},          {"task", request.task},             {"beam", request.beam},
                  {"device", request.device}};
    if (json options = optionsDocument(request); !options.empty())
        document["options"] = std::move(options);
    return document;
}

} // namespace

Job readJob(const fs::path& file) {
    const std::string name = displayName(file);
    const json document = parseStrictObject(readSmallFile(file, "job.missing"), name, "job.badJson");
    if (document.value("format", json()) != kJobFormat || document.value("version", json()) != 1)
        throw Error("job.value", name + " is not a job of version 1.", {{"file", name}});
    static const std::set<std::string> known{"format",       "version", "run",  "resume",
                                             "architecture", "recipe",  "data", "startFrom",
                                             "seed",         "set",     "place",
                                             "device",       "evaluation", "array", "hold", "ranks", "allCheckpoints", "watch",
                                             "error"};
    for (const auto& [key, value] : document.items())
        if (!known.count(key))
            throw Error("job.value", name + ", " + key + ": there is no such key in a job.",
                        {{"file", name}});
    Job job;
    for (const auto& [key, value] :
         {std::pair("resume", &job.resume), std::pair("allCheckpoints", &job.allCheckpoints), std::pair("watch", &job.watch)})
        if (const auto found = document.find(key); found != document.end()) {
            if (!found->is_boolean())
                throw Error("job.value", name + ", " + key + ": this must be true or false.", {{"file", name}});
            *value = found->get<bool>();
        }
    job.run = textAt(document, "run", name, true);
    job.place = textAt(document, "place", name, false);
    job.hold = document.value("hold", json()) == true;
    job.device = textAt(document, "device", name, false);
    job.error = textAt(document, "error", name, false);
    if (const auto ranks = document.find("ranks"); ranks != document.end()) {
        if (!ranks->is_number_unsigned() || ranks->get<std::uint64_t>() < 1 || ranks->get<std::uint64_t>() > kMostRanksOfJob)
            throw Error("job.value", name + ", ranks: this must be a whole number from 1 to " + std::to_string(kMostRanksOfJob) + ".",
                        {{"file", name}});
        job.ranks = ranks->get<int>();
    }
    for (const json& one : document.value("array", json::array())) {
        if (!one.is_string())
            throw Error("job.value", name + ", array: this must be a list of folders of runs.", {{"file", name}});
        job.array.push_back(one.get<std::string>());
    }
    if (const auto evaluation = document.find("evaluation"); evaluation != document.end()) {
        job.evaluation = evaluationOf(*evaluation, name);
        job.evaluation->place = job.place;
        return job;
    }
    const bool isNew = !job.resume && !job.watch;
    job.architecture = textAt(document, "architecture", name, isNew);
    job.recipe = textAt(document, "recipe", name, isNew);
    job.data = textAt(document, "data", name, isNew);
    job.startFrom = textAt(document, "startFrom", name, false);
    if (const auto seed = document.find("seed"); seed != document.end() && !seed->is_null()) {
        if (!seed->is_number_unsigned())
            throw Error("job.value", name + ", seed: this must be a whole number from 0.", {{"file", name}});
        job.seed = seed->get<std::uint64_t>();
    }
    for (const json& one : document.value("set", json::array())) {
        if (!one.is_string())
            throw Error("job.value", name + ", set: this must be a list of texts KEY=VALUE.",
                        {{"file", name}});
        job.set.push_back(one.get<std::string>());
    }
    return job;
}

std::string whyPutAside(const fs::path& file) {
    const json error = readStrictObject(file, "job.missing").value("error", json());
    return error.is_string() ? error.get<std::string>() : std::string();
}

void writeJob(const fs::path& file, const Job& job) {
    std::error_code problem;
    fs::create_directories(file.parent_path(), problem);
    nlohmann::ordered_json document;
    document["format"] = kJobFormat;
    document["version"] = 1;
    document["run"] = job.run.string();
    document["resume"] = job.resume;
    if (!job.place.empty())
        document["place"] = job.place;
    if (job.hold)
        document["hold"] = true;
    if (job.watch)
        document["watch"] = true;
    if (!job.device.empty())
        document["device"] = job.device;
    if (job.ranks > 0)
        document["ranks"] = job.ranks;
    if (job.allCheckpoints)
        document["allCheckpoints"] = true;
    if (!job.error.empty())
        document["error"] = job.error;
    for (const fs::path& run : job.array)
        document["array"].push_back(run.string());
    if (job.evaluation) {
        document["evaluation"] = documentOf(*job.evaluation);
    } else if (!job.resume && !job.watch) {
        document["architecture"] = job.architecture.string();
        document["recipe"] = job.recipe.string();
        document["data"] = job.data.string();
        document["startFrom"] = job.startFrom;
        if (job.seed)
            document["seed"] = *job.seed;
        document["set"] = job.set;
    }
    writeAtomically(file, std::string_view(document.dump(2) + "\n"), "run.unwritable");
}

std::vector<fs::path> waitingJobs(const fs::path& runs) {
    return jobsIn(queueFolder(runs));
}

std::vector<fs::path> putAsideJobs(const fs::path& runs) {
    return jobsIn(failedJobs(runs));
}

std::optional<fs::path> jobOfRun(const fs::path& runs, const fs::path& run, const std::function<bool(const fs::path&, const Job&)>& fits) {
    for (const fs::path& waiting : waitingJobs(runs))
        try {
            const Job job = readJob(waiting);
            if (runs / job.run == run && (!fits || fits(waiting, job))) // an absolute path stays itself
                return waiting;
        } catch (const Error&) {
            continue; // somebody else's job, which the queue will refuse
        }
    return std::nullopt;
}

int jobNumber(const fs::path& job) {
    const std::string name = job.stem().string();
    int number = 0;
    const auto [end, problem] = std::from_chars(name.data(), name.data() + name.size(), number);
    const bool whole = end == name.data() + name.size() || *end == '_';
    return problem == std::errc() && whole ? number : kFirstJob;
}

fs::path jobFile(const fs::path& runs, int number, const fs::path& run) {
    char digits[16];
    std::snprintf(digits, sizeof digits, "%06d", number);
    return queueFolder(runs) / (std::string(digits) + "_" + run.filename().string() + ".json");
}

fs::path nextJobFile(const fs::path& runs, const fs::path& run) {
    int next = kFirstJob;
    for (const fs::path& job : waitingJobs(runs))
        next = std::max(next, jobNumber(job) + 1);
    return jobFile(runs, next, run);
}

void removeInputs(const fs::path& runs, const Job& job) {
    std::error_code ignored;
    std::set<fs::path> needed;
    for (const auto& others : {waitingJobs(runs), putAsideJobs(runs)})
        for (const fs::path& other : others)
            try {
                const Job one = readJob(other);
                needed.insert({one.architecture, one.recipe});
            } catch (const Error&) {
                continue; // it names nothing that can be used
            }
    for (const fs::path& input : {job.architecture, job.recipe})
        if (input.parent_path() == jobInputs(runs) && !needed.contains(input))
            fs::remove(input, ignored);
}

bool queueIsRunning(const fs::path& runs) {
    return FileLock::isLocked(queueLock(runs));
}

} // namespace headroom
