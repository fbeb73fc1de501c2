// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/places/place.h"

#include <string>

namespace headroom::training {

// What to do about what programs say at a place. Pure, thread-safe.

/// Returns sentences for what a program said that could not write, or did not run there: disk full, quota, read-only, not allowed, no
/// rsync, a login shell that prints text; each names what to do. Empty for other words. `writes`: the machine whose disk it is, by name;
/// the place itself, or this machine where something is fetched.
std::string adviceOn(const std::string& said, const Place& place, const std::string& writes);

/// Returns what to do about a run or a command that ended at a place because it could not write: disk full, quota, read-only. Empty
/// for other words. `said`: its last ones.
std::string adviceOnEnd(const std::string& said, const std::string& place);

/// Returns the glibc that a program needs, from the words of a loader that does not start it ("version `GLIBC_2.36' not found"): the
/// newest that it names. Empty for other words.
std::string neededGlibc(const std::string& said);
/// Says that the worker there cannot run. `has`: the version there; empty: unknown.
std::string glibcSentence(const std::string& has, const std::string& needed);

/// Whether a shell says that a program is for another processor ("Exec format error"), in the words of bash, dash, zsh or fish.
bool isOtherProcessor(const std::string& said);
/// Says that the worker there cannot run. `machine`: the processor there, "aarch64"; empty: unknown.
std::string processorSentence(const std::string& machine);

/// Refuses a worker of another version than this one: Error "place.version", which names both and the line to type. `version`: what
/// it says of itself; empty: it says nothing, because it is older.
void checkWorkerVersion(const Place& place, const std::string& version);

} // namespace headroom::training
