// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/slurm_states.h"

#include "core/errors/error.h"
#include "core/runs/file_lock.h"
#include "core/runs/jobs.h"
#include "core/runs/strict_json.h"
#include "training/places/slurm.h"
#include "training/processes/child_process.h"

#include <chrono>
#include <sstream>
#include <vector>

namespace headroom::training {

namespace {

namespace fs = std::filesystem;

constexpr std::chrono::seconds kStatesPatience{20};
constexpr std::chrono::hours kForgotten{1}; ///< who asked and has ended since

fs::path askedFolder(const fs::path& runs) {
    return queueFolder(runs) / "asked";
}

bool isJobNumber(const std::string& id) {
    return !id.empty() && id.find_first_not_of("0123456789_") == std::string::npos;
}

std::vector<std::string> askedJobs(const fs::path& runs) {
    std::vector<std::string> ids;
    std::vector<fs::path> old;
    std::error_code ignored;
    for (const auto& entry : fs::directory_iterator(askedFolder(runs), ignored))
        if (ageOfAnswer(entry.path()) > kForgotten)
            old.push_back(entry.path());
        else if (std::string id = entry.path().filename().string(); isJobNumber(id))
            ids.push_back(std::move(id));
    for (const fs::path& file : old)
        fs::remove(file, ignored);
    return ids;
}

std::string valueIn(const std::string& line, const std::string& key) {
    const auto at = (" " + line).find(" " + key + "=");
    if (at == std::string::npos)
        return {};
    const auto begin = at + key.size() + 1;
    return line.substr(begin, line.find(' ', begin) - begin);
}

/// From the accounting; of what it does not know, from what the controller still remembers.
std::map<std::string, std::string> askForStates(const std::vector<std::string>& ids, const std::function<void()>& meanwhile) {
    std::string list;
    for (const std::string& id : ids)
        list += (list.empty() ? "" : ",") + id;
    const Ended accounted = runToEnd({"sacct", "--noheader", "--allocations", "--parsable2", "--jobs=" + list, "--format=JobID,State"}, {},
                                     kStatesPatience, meanwhile);
    std::map<std::string, std::string> states;
    if (accounted.status == 0)
        states = parseStates(accounted.out, false);
    std::vector<std::string> missing;
    for (const std::string& id : ids)
        if (!states.contains(id))
            missing.push_back(id);
    if (missing.empty())
        return states;
    std::vector<std::string> words{"scontrol", "--oneliner", "show", "job"};
    if (missing.size() == 1) // it takes one number, or none
        words.push_back(missing.front());
    states.merge(parseStates(runToEnd(words, {}, kStatesPatience, meanwhile).out, true));
    return states;
}

/// "ID|STATE" in each line, also of jobs that Slurm has forgotten.
std::map<std::string, std::string> keptStates(const fs::path& file) {
    std::error_code ignored;
    return fs::exists(file, ignored) ? parseStates(readSmallFile(file, "slurm.states"), false) : std::map<std::string, std::string>();
}

} // namespace

bool isEndOfJob(const std::string& state) {
    for (const char* open : {"PENDING", "RUNNING", "SUSPENDED", "COMPLETING", "CONFIGURING", "REQUEUED",
                             "RESIZING", "SIGNALING", "STAGE_OUT", "STOPPED"})
        if (state.rfind(open, 0) == 0)
            return false;
    return true;
}

std::map<std::string, std::string> parseStates(const std::string& output, bool scontrol) {
    std::map<std::string, std::string> states;
    std::istringstream lines(output);
    for (std::string line; std::getline(lines, line);) {
        const auto bar = line.find('|');
        if (!scontrol && bar != std::string::npos && isJobNumber(line.substr(0, bar)))
            states[line.substr(0, bar)] = line.substr(bar + 1);
        const std::string id = valueIn(line, "JobId"), state = valueIn(line, "JobState");
        if (!scontrol || !isJobNumber(id) || state.empty())
            continue;
        states[id] = state;
        if (const std::string array = valueIn(line, "ArrayJobId"), element = valueIn(line, "ArrayTaskId"); !array.empty())
            states[array + "_" + element] = state;
    }
    return states;
}

std::optional<std::string> lastStateOf(const std::string& id, const fs::path& runs, const std::function<void()>& meanwhile) {
    const fs::path file = queueFolder(runs) / "states.txt", mine = askedFolder(runs) / id;
    const auto isDue = [&] { return ageOfAnswer(file) > askInterval(); };
    bool isNew = false;
    std::error_code ignored;
    if (ageOfAnswer(mine) > kForgotten / 2) {
        fs::create_directories(askedFolder(runs), ignored);
        writeAnswer(mine, {});
    }
    if (isDue()) {
        // Who does not get the lock takes the answer of who has it, next time.
        const auto lock = FileLock::tryTake(queueFolder(runs) / "states.lock", "run.unwritable");
        if (!lock)
            return std::nullopt;
        if (isDue()) {
            const std::vector<std::string> ids = askedJobs(runs);
            auto states = askForStates(ids, meanwhile);
            std::string text;
            for (const std::string& one : ids)
                text += one + "|" + states[one] + "\n";
            writeAnswer(file, text);
            isNew = true;
        }
    }
    const auto states = keptStates(file);
    const auto found = states.find(id);
    // Asked for since; or it went on then, and has ended since.
    if (found == states.end() || (!isNew && !found->second.empty() && !isEndOfJob(found->second)))
        return std::nullopt;
    return found->second;
}

} // namespace headroom::training
