// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <set>
#include <string>
#include <vector>

namespace headroom::training {

/// The files of a corpus that training of a task on these splits needs: everything but recordings that only other splits and tasks
/// name. Paths below the folder. Empty: all of the folder is needed, or what is needed cannot be told.
std::vector<std::string> usedFiles(const std::filesystem::path& corpus, const std::string& task, const std::set<std::string>& splits);

} // namespace headroom::training
