// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/errors/error.h"

#include <filesystem>
#include <string>
#include <string_view>

namespace headroom {

/// Parses a JSON object and rejects what the library accepts: duplicate keys, nesting deeper than any
/// document of a run, more than 16 MB. Throws Error(code): "NAME is not JSON at line 3, column 7."
nlohmann::json parseStrictObject(std::string_view text, const std::string& name, const std::string& code);

/// Reads and parses a file; `code` also for a missing or unreadable file.
nlohmann::json readStrictObject(const std::filesystem::path& file, const std::string& code);

/// Returns the bytes of a small file. Throws Error(code) with unreadText().
std::string readSmallFile(const std::filesystem::path& file, const std::string& code);

} // namespace headroom
