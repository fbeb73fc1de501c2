// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"
#include "training/processes/child_process.h"

#include <functional>
#include <string>
#include <vector>

namespace headroom::training {

/// One line of the test of a place.
struct PlaceCheck {
    enum class State { Passed, Remark, Failed, Skipped };
    State state = State::Passed;
    std::string what;     ///< "glibc"
    std::string value;    ///< "2.36", "2 × H200, 120 GB free"; may be empty
    std::string sentence; ///< of a failure or a remark: what it means and what to do
};
const char* toText(PlaceCheck::State state); ///< "passed", "remark", "failed", "skipped"

/// What a place has, as the programs there say it. Parsed apart from asking, so that every answer can be
/// tested.
struct PlaceFacts {
    std::string banner;          ///< what the login shell printed before the first command
    std::string system, machine; ///< uname: "Linux", "x86_64"
    std::string glibc;           ///< "2.36"; empty: another libc
    long long clock = 0;         ///< UTC seconds there
    bool writable = false;       ///< files can be made in the place's folder
    std::string writeProblem;    ///< why not
    long long diskFree = -1;     ///< bytes; −1: unknown
    std::string rsync, sbatch;   ///< paths; empty: not there
    std::string python, torch;   ///< path of python3, version of its torch; empty: not there
};
/// Parses the output of the one script that is run there. Throws Error "place.answer" if there is no answer
/// in it.
PlaceFacts parseFacts(const std::string& output);
/// The script and its arguments, as words for wordsAt().
std::vector<std::string> factsScript(const Place& place);

/// The lines that follow from the facts: system, glibc, clock, folder, disk, rsync. `now`: UTC seconds here.
std::vector<PlaceCheck> checksOf(const Place& place, const PlaceFacts& facts, long long now);

/// The line about the worker there, from its answer to `--version`: passed, or what is missing with the line to type.
PlaceCheck workerCheck(const Place& place, const Ended& ended, const PlaceFacts& facts, const std::string& version);

/// Looks at everything a run needs: connection, system, glibc, clock, folder, disk, worker, devices and, for
/// Slurm, its programs and the partition. Calls `found` with each line as soon as it is known; what cannot be
/// asked after a failure is Skipped. Takes seconds. Returns whether a run can start there. Never throws for
/// what is wrong there.
bool checkPlaceThere(const Place& place, const std::string& workerVersion,
                     const std::function<void(const PlaceCheck&)>& found);

} // namespace headroom::training
