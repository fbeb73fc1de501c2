// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace headroom::training {

/// The files of a corpus that work on these splits of a task needs, as paths below the folder; an empty task: of every task. Empty: all
/// of the folder is needed, or what is needed cannot be told.
/// - Tables of recordings: everything but recordings that only other splits and tasks name; where folders are linked in (an
///   imported corpus), the documents and what the used tables name.
/// - Parallel text: everything but the tables of other splits and tasks.
/// - Manifests: the documents and what the rows name. Plain recordings: the documents, and the recordings with a text, each with
///   its text and its alignment.
std::vector<std::string> usedFiles(const std::filesystem::path& corpus, const std::string& task, const std::set<std::string>& splits);

} // namespace headroom::training
