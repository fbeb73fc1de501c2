// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/advice.h"

#include "core/commands/shell_words.h"
#include "core/errors/display_name.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

namespace headroom::training {

namespace {

constexpr const char *kDiskFull = "No space left on device", *kQuota = "Disk quota exceeded", *kReadOnly = "Read-only file system";

std::string diskIsFull(const std::string& place) {
    return "The disk of " + place + " is full.";
}
std::string quotaIsUsed(const std::string& place) {
    return "Your quota on " + place + " is used up (quota -s shows it).";
}

} // namespace

std::string adviceOnEnd(const std::string& said, const std::string& place) {
    const auto says = [&](const char* words) { return said.find(words) != std::string::npos; };
    const std::string freed = " Free space there, then Resume continues from what was saved.";
    if (says(kDiskFull))
        return diskIsFull(place) + freed;
    if (says(kQuota))
        return quotaIsUsed(place) + freed;
    if (says(kReadOnly))
        return "The file system of the folder there is read-only now. When it can be written again, Resume continues from what was saved.";
    return {};
}

std::string adviceOn(const std::string& said, const Place& place, const std::string& writes) {
    const auto says = [&](const char* words) { return said.find(words) != std::string::npos; };
    const std::string again = " Free space there and start again; what was copied is kept.";
    if (says(kDiskFull))
        return diskIsFull(writes) + again;
    if (says(kQuota))
        return quotaIsUsed(writes) + again;
    if (says(kReadOnly))
        return "The folder is on a file system of " + writes + " that is read-only. Choose another folder in Places.";
    if (says("is your shell clean") || says("protocol version mismatch"))
        return "The login shell of " + place.host +
               " prints text before every command, and rsync mistakes it for data. In its start-up file (~/.bashrc, ~/.profile), "
               "print only to a terminal: [ -t 1 ] && echo …";
    if (says("rsync: command not found") || says("rsync: not found"))
        return "rsync is missing on " + place.host + ". Type there: sudo apt install rsync";
    if (says("Permission denied"))
        return "You do not have permission to write there on " + writes + ". Choose another folder in Places, or ask the owner of this one.";
    return {};
}

std::string neededGlibc(const std::string& said) {
    const std::string mark = "GLIBC_";
    std::string newest;
    int newestMinor = -1;
    for (std::size_t at = said.find(mark); at != std::string::npos; at = said.find(mark, at + 1)) {
        const auto begin = at + mark.size();
        const std::string version = said.substr(begin, said.find_first_not_of("0123456789.", begin) - begin);
        const int minor = version.rfind("2.", 0) == 0 ? std::atoi(version.c_str() + 2) : -1;
        if (minor > newestMinor) {
            newestMinor = minor;
            newest = version;
        }
    }
    return newest;
}

std::string glibcSentence(const std::string& has, const std::string& needed) {
    return (has.empty() ? "The glibc there" : "glibc " + has) + " is older than the worker needs (" + needed +
           "). Debian 12 and Ubuntu 24.04 are new enough. Run the worker in a container there, or use another place.";
}

bool isOtherProcessor(const std::string& said) {
    std::string text = said;
    std::transform(text.begin(), text.end(), text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    return text.find("exec format error") != std::string::npos || text.find("cannot execute binary file") != std::string::npos;
}

std::string processorSentence(const std::string& machine) {
    return "It is built for another processor than that machine has" + (machine.empty() ? "" : " (" + machine + ")") +
           ". Build headroom-worker there (preset worker-no-qt) and name it as the worker of the place, or use another place.";
}

void checkWorkerVersion(const Place& place, const std::string& version) {
    if (version == HEADROOM_VERSION)
        return;
    throw Error("place.version",
                "The worker at " + place.name + (version.empty() ? " is older than" : " is version " + validText(version) + ", and") +
                    " this one" + (version.empty() ? ", which is " : " is ") +
                    HEADROOM_VERSION ". Install the same version: headroom-worker places install " + shellWord(place.name),
                {{"place", place.name}, {"version", validText(version)}});
}

} // namespace headroom::training
