// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

#include <filesystem>

namespace headroom::app {

// The name that the user gave a run, RUN/name.txt, and the name under which it was started, which stays whatever is started or deleted
// later: beside the copies of its documents in RUNS/queue/inputs until it has begun, then RUN/started-as.txt. Runs that were started
// elsewhere have none. Any thread.

/// As the folder has it now; empty: none was given.
QString givenName(const std::filesystem::path& run);
/// Throws Error "run.unwritable".
void giveName(const std::filesystem::path& run, const QString& name);
/// "demo, 300 updates"; empty: none was kept.
QString keptName(const std::filesystem::path& run);
/// Throws Error "run.unwritable".
void keepName(const std::filesystem::path& run, const QString& name);
/// Changes the name of a run that has one. Throws Error "run.unwritable".
void changeKeptName(const std::filesystem::path& run, const QString& name);
/// Puts the names of runs that have begun into their folders.
void settleKeptNames(const std::filesystem::path& runs);
/// Of a run that will not begin.
void forgetName(const std::filesystem::path& run);

} // namespace headroom::app
