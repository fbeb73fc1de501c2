// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace headroom {

class SourceReading;

/// Lists every file in a folder that looks like a table or a manifest by its name and that no kind can read as a problem: empty, UTF-16,
/// all in one line, a web page, or without columns that are known. For a folder that was taken for plain recordings.
void listUnreadTables(SourceReading& reading);

/// Returns the archives in a folder, as “dev-clean.tar.gz and 2 more”; empty if there are none.
std::string archivesIn(const std::filesystem::path& folder);

/// Returns OLD and NEW of --map for a recording whose path is that of another machine, if a file of its name lies below the folder: the same
/// folders around it, or the only one of this name.
std::optional<std::pair<std::string, std::string>> suggestedMap(const std::string& named, const std::filesystem::path& folder);

/// Returns what to do about a recording that is not where a table says, as a sentence with a blank before it: the rest of a download, the right
/// --map, or, if `isUsual`, that there is such an option. Empty where the path cannot be the reason.
std::string hintAboutMissing(const std::string& recording, const std::filesystem::path& folder, bool isUsual);

} // namespace headroom
