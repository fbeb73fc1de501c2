// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/places/worker_start.h"

#include "core/errors/display_name.h"
#include "training/places/advice.h"
#include "training/places/connection.h"

#include <vector>

namespace headroom::training {

namespace {

/// The last word that a program prints there; empty: none.
std::string lastWordOf(const Place& place, const std::vector<std::string>& words) {
    std::string said = runAt(place, words).out;
    while (!said.empty() && (said.back() == '\n' || said.back() == '\r'))
        said.pop_back();
    return validText(said.substr(said.find_last_of(" \n") + 1)); // npos + 1 is 0
}

} // namespace

std::string whyNoWorker(const Place& place, const std::string& said) {
    if (isOtherProcessor(said))
        return processorSentence(lastWordOf(place, {"uname", "-m"}));
    if (const std::string needed = neededGlibc(said); !needed.empty())
        return glibcSentence(lastWordOf(place, {"getconf", "GNU_LIBC_VERSION"}), needed);
    return {};
}

} // namespace headroom::training
