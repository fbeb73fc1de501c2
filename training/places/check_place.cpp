// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/check_place.h"

#include "core/commands/shell_words.h"
#include "core/errors/display_name.h"
#include "training/places/advice.h"
#include "training/places/connection.h"
#include "training/places/last_line.h"

#include <ctime>
#include <nlohmann/json.hpp>

namespace headroom::training {

namespace {

using State = PlaceCheck::State;
using Clock = std::chrono::steady_clock;
using nlohmann::json;

std::string sizeText(double bytes) {
    char text[40];
    std::snprintf(text, sizeof text, "%.1f GB", bytes / 1e9);
    return text;
}

/// How the worker gets there: the line to type.
std::string howToInstall(const Place& place) {
    return "Install it: headroom-worker places install " + shellWord(place.name);
}

/// What is missing of LibTorch there, with the line that brings it. The launcher of a bundle looks into worker/torch.
std::string howToGetTorch(const Place& place, const PlaceFacts& facts) {
    const std::string folder = shellWord(pathAt(place, "worker/torch"));
    const std::string line = "python3 -m venv " + folder + " && " + folder + "/bin/pip install torch==2.11.0";
    const std::string type = "Type: " + (place.isRemote() ? "ssh " + shellWord(place.host) + " " + shellWord(line) : line);
    if (facts.python.empty())
        return "Python is missing there, and the worker runs with the LibTorch of its torch 2.11. Install it (Debian: sudo apt "
               "install python3-venv). Then type: " +
               type.substr(6);
    if (facts.torch.empty())
        return "Python there has no torch; the worker needs torch 2.11. " + type;
    return "Python there has torch " + facts.torch + ", but the worker needs 2.11. A separate environment leaves the system "
           "unchanged. " +
           type;
}

} // namespace

PlaceCheck workerCheck(const Place& place, const Ended& ended, const PlaceFacts& facts, const std::string& version) {
    const std::string prefix = "headroom-worker ";
    const auto at = ended.out.rfind(prefix);
    if (ended.status == 0 && at != std::string::npos) {
        const std::string there = lastLine(ended.out.substr(at + prefix.size()));
        if (there == version)
            return {State::Passed, "Worker", there, {}};
        return {State::Failed, "Worker", there,
                "The worker there is version " + there + ", but this one is " + version +
                    ". Install the same version: " + howToInstall(place)};
    }
    const std::string said = lastLine(ended.err.empty() ? ended.out : ended.err);
    if (said.find("LibTorch 2.11") != std::string::npos)
        return {State::Failed, "Worker", "no LibTorch",
                facts.torch.rfind("2.11.", 0) == 0 ? said : howToGetTorch(place, facts)};
    if (const std::string needed = neededGlibc(ended.err + ended.out); !needed.empty())
        return {State::Failed, "Worker", "glibc too old", glibcSentence(facts.glibc, needed)};
    if (isOtherProcessor(ended.err + ended.out))
        return {State::Failed, "Worker", "for another processor", processorSentence(facts.machine)};
    if (place.worker.empty() && said.find("headroom-worker: not found") != std::string::npos)
        return {State::Failed, "Worker", "missing", "There is no worker there yet. " + howToInstall(place)};
    return {State::Failed, "Worker", "missing",
            "headroom-worker does not start there" + (said.empty() ? "" : " (" + said + ")") + ". " +
                howToInstall(place)};
}

namespace {

std::vector<PlaceCheck> deviceChecks(const Place& place, const Ended& ended) {
    const auto begin = ended.out.find('{');
    const json document =
        begin == std::string::npos ? json() : json::parse(ended.out.substr(begin), nullptr, false);
    if (ended.status != 0 || !document.is_object() || !document.value("devices", json()).is_array())
        return {{State::Failed, "Devices", "unknown",
                 "headroom-worker devices failed there: " + lastLineAsSentence(ended.err)}};
    std::vector<PlaceCheck> checks;
    std::string wanted = deviceOfProcess(place);
    if (wanted == "cuda")
        wanted = "cuda:0";
    bool found = wanted == "auto" || place.kind == Place::Kind::Slurm; // the nodes of a cluster have others than its login host
    for (const json& device : document["devices"]) {
        const bool usable = device.value("usable", json()) == true;
        found = found || (usable && device.value("id", std::string()) == wanted);
        std::string value = device.value("name", std::string());
        if (device.value("threads", json()).is_number_integer())
            value += ", " + std::to_string(device["threads"].get<int>()) + " threads";
        if (device.value("freeBytes", json()).is_number())
            value += ", " + sizeText(device["freeBytes"].get<double>()) + " of memory free";
        checks.push_back(
            {usable ? State::Passed : State::Remark, "Device " + device.value("id", std::string()), value,
             usable                                        ? ""
             : device.value("missing", json()).is_string() ? device["missing"].get<std::string>() + "."
                                                           : ""});
    }
    if (!found)
        checks.push_back({State::Failed, "Device of the place", place.device,
                          "Runs there compute on " + wanted + ", which cannot be used. Choose another device in Places."});
    return checks;
}

PlaceCheck slurmCheck(const Place& place, const PlaceFacts& facts) {
    if (facts.sbatch.empty())
        return {State::Failed, "Slurm", "no sbatch",
                "sbatch is not on the PATH of " +
                    (place.isRemote() ? place.host : std::string("this machine")) +
                    ". Is it the login host of the cluster? A module that must be loaded belongs in "
                    "~/.bashrc there."};
    std::vector<std::string> words{"sinfo", "--noheader", "--format=%P %a %D"};
    if (!place.slurm.partition.empty())
        words.push_back("--partition=" + place.slurm.partition);
    const Ended ended = runAt(place, words);
    if (ended.status != 0)
        return {State::Failed, "Slurm", "no answer", whyFailed("sinfo", ended.err)};
    // Without a name it is the default one, which has a star.
    std::string line = lastLine(ended.out);
    if (const auto star = ended.out.find("* "); place.slurm.partition.empty() && star != std::string::npos) {
        const auto begin = ended.out.rfind('\n', star) + 1; // npos + 1 is 0
        line = validText(ended.out.substr(begin, ended.out.find('\n', star) - begin));
    }
    if (line.empty())
        return {State::Failed, "Slurm", place.slurm.partition,
                "The cluster has no partition “" + place.slurm.partition +
                    "”. Type sinfo there for the list."};
    if (line.find(" up ") == std::string::npos)
        return {State::Remark, "Slurm", line,
                "The partition " + place.slurm.partition + " is closed now; jobs will wait."};
    return {State::Passed, "Slurm", line, {}};
}

} // namespace

bool checkPlaceThere(const Place& place, const std::string& workerVersion,
                     const std::function<void(const PlaceCheck&)>& found) {
    bool good = true;
    const auto say = [&](const PlaceCheck& check) {
        good = good && check.state != State::Failed;
        found(check);
    };
    const auto skip = [&](std::initializer_list<const char*> names) {
        for (const char* name : names)
            found({State::Skipped, name, {}, {}});
    };
    const char* step = "Reachable";
    try {
        const auto start = Clock::now();
        runAt(place, {"true"});
        const double milliseconds = std::chrono::duration<double, std::milli>(Clock::now() - start).count();
        say({State::Passed, "Reachable", std::to_string(static_cast<int>(milliseconds)) + " ms", {}});
        step = "Facts";
        const PlaceFacts facts = parseFacts(runAt(place, factsScript(place)).out);
        for (const PlaceCheck& check : checksOf(place, facts, static_cast<long long>(std::time(nullptr))))
            say(check);
        if (place.kind == Place::Kind::Slurm) {
            step = "Slurm";
            say(slurmCheck(place, facts));
        }
        step = "Worker";
        const PlaceCheck worker = workerCheck(
            place, runAt(place, workerAt(place, {"--version"}), {}, std::chrono::seconds(60)), facts,
            workerVersion);
        say(worker);
        if (worker.state == State::Failed) {
            skip({"Devices"});
            return false;
        }
        step = "Devices";
        for (const PlaceCheck& check :
             deviceChecks(place, runAt(place, workerAt(place, {"devices", "--json"}), {}, std::chrono::seconds(60))))
            say(check);
    } catch (const Error& error) {
        say({State::Failed, step, {}, error.what()});
        if (std::string_view(step) == "Reachable")
            skip({"Processor", "glibc", "Folder", "Free disk", "Worker", "Devices"});
    }
    return good;
}

} // namespace headroom::training
