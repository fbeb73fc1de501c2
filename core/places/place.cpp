// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/places/place.h"

#include "core/errors/display_name.h"

#include <algorithm>
#include <cstdlib>
#include <regex>

namespace headroom {

using nlohmann::json;

namespace {

/// A value in a sentence: on one line.
std::string shown(const std::string& value) {
    std::string text = validText(value);
    std::replace_if(
        text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; }, ' ');
    return text;
}

[[noreturn]] void refusePlace(const Place& place, const char* key, const std::string& problem) {
    const std::string name = place.name.empty() ? "" : shown(place.name) + ": ";
    throw Error("place.value", name + problem,
                {{"place", validText(place.name)}, {"key", key}});
}

bool hasControl(const std::string& text) {
    return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

void checkHost(const Place& place) {
    if (place.host.empty()) {
        if (place.kind == Place::Kind::Ssh)
            refusePlace(place, "host", "The host is missing. Name one of ~/.ssh/config, or USER@HOST.");
        return;
    }
    if (place.host.front() == '-')
        refusePlace(place, "host", "A host must not begin with “-”.");
    const bool odd = std::any_of(place.host.begin(), place.host.end(), [](unsigned char c) {
        return c <= 0x20 || c == 0x7F ||
               std::string_view("/:'\"\\$`;&|<>()*?#!").find(char(c)) != std::string_view::npos;
    });
    if (odd)
        refusePlace(place, "host",
                    "“" + shown(place.host) +
                        "” is not a host. Give it a name, a port and a user in ~/.ssh/config, and write that "
                        "name here.");
}

void checkFolder(const Place& place, const char* key, const std::string& path) {
    if (path.find('\0') != std::string::npos)
        refusePlace(place, key, "A path must not contain a zero byte.");
    if (path.front() == '~' && path.rfind("~/", 0) != 0)
        refusePlace(place, key,
                    "“" + shown(path) + "” is not a path. Write it from /, or from the home folder as ~/FOLDER.");
}

void checkDevice(const Place& place) {
    static const std::regex word("auto|cpu|all|cuda(:[0-9]{1,3})?");
    if (!std::regex_match(place.device, word))
        refusePlace(place, "device",
                    "“" + shown(place.device) +
                        "” is not a device of a place. Write auto, cpu, cuda, cuda:K (the GPU of this number) or all (every GPU).");
    if (place.kind == Place::Kind::Slurm && place.device.find(':') != std::string::npos)
        refusePlace(place, "device",
                    "Slurm chooses the GPUs, so “" + place.device +
                        "” cannot be set for a cluster. Use auto, and set the number of GPUs per job.");
}

void checkSlurm(const Place& place) {
    const Place::Slurm& slurm = place.slurm;
    static const std::regex word("[A-Za-z0-9_.,+@-]*"), time("(([0-9]+-)?[0-9]+(:[0-9]{1,2}){0,2})?");
    if (!std::regex_match(slurm.partition, word) || slurm.partition.rfind('-', 0) == 0)
        refusePlace(place, "partition",
                    "“" + shown(slurm.partition) + "” is not a partition; `sinfo` lists them.");
    if (!std::regex_match(slurm.account, word) || slurm.account.rfind('-', 0) == 0)
        refusePlace(place, "account", "“" + shown(slurm.account) + "” is not an account of Slurm.");
    if (!std::regex_match(slurm.time, time))
        refusePlace(place, "time",
                    "“" + shown(slurm.time) +
                        "” is not a time limit. Write 08:00:00 (hours), or 2-12:00:00 (days).");
    if (slurm.gpus < 0 || slurm.gpus > 64)
        refusePlace(place, "gpus", std::to_string(slurm.gpus) + " GPUs per node are not possible (0 to 64).");
    if (slurm.nodes < 1 || slurm.nodes > 1024)
        refusePlace(place, "nodes", std::to_string(slurm.nodes) + " nodes are not possible (1 to 1024).");
    for (const std::string& line : slurm.lines)
        if (line.rfind("-", 0) != 0 || hasControl(line))
            refusePlace(place, "lines",
                        "“" + shown(line) +
                            "” is not an option of sbatch. Write one option per line: --constraint=a100.");
}

} // namespace

const char* toText(Place::Kind kind) {
    return kind == Place::Kind::Slurm ? "slurm" : "ssh";
}

void checkPlace(const Place& place) {
    if (place.name.empty() || place.name.size() > 100 || hasControl(place.name) ||
        place.name.front() == ' ' || place.name.front() == '-' || place.name.back() == ' ')
        refusePlace(place, "name", "A place needs a name of 1 to 100 characters on one line that does not begin with “-”.");
    if (place.name == kThisMachine)
        refusePlace(place, "name", "This machine is always in the list. Choose another name.");
    checkHost(place);
    if (place.folder.empty())
        refusePlace(place, "folder", "The folder is missing. Name one there for runs and data, for example ~/headroom.");
    checkFolder(place, "folder", place.folder);
    if (!place.worker.empty())
        checkFolder(place, "worker", place.worker);
    checkDevice(place);
    if (place.kind == Place::Kind::Slurm)
        checkSlurm(place);
}

std::string deviceOfProcess(const Place& place) {
    const bool hasGpu = place.kind == Place::Kind::Slurm && place.slurm.gpus > 0;
    return place.device == "all" || (hasGpu && place.device != "cpu") ? "cuda" : place.device;
}

std::string pathAt(const Place& place, const std::string& below) {
    const std::string& folder = place.folder;
    std::string path = folder.rfind("~/", 0) == 0 ? folder.substr(2) : folder;
    while (path.size() > 1 && path.back() == '/')
        path.pop_back();
    if (path.empty())
        path = ".";
    if (const char* home = std::getenv("HOME"); !place.isRemote() && path.front() != '/' && home)
        path.insert(0, std::string(home) + "/"); // there ssh begins in the home folder
    if (path.front() == '-')
        path.insert(0, "./");
    return below.empty() ? path : (path == "/" ? "" : path) + "/" + below;
}

Place findPlace(const std::vector<Place>& places, const std::string& name) {
    for (const Place& place : places)
        if (place.name == name)
            return place;
    std::string names;
    for (const Place& place : places)
        names += (names.empty() ? "" : ", ") + place.name;
    throw Error("place.unknown",
                "There is no place “" + validText(name) + "”. " +
                    (names.empty() ? "Add one with `headroom-worker places add`." : "Places: " + names + "."),
                {{"place", validText(name)}});
}

} // namespace headroom
