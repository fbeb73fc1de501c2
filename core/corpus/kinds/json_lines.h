// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/kinds/source_reading.h"

#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

namespace headroom {

/// Reads one JSON object per line, plain or gzip. Lines that are none become problems. Returns false if the
/// file could not be read to its end.
bool readJsonLines(SourceReading& reading, const std::filesystem::path& file,
                   const std::function<void(const nlohmann::json&, const SourcePlace&)>& object);

/// Returns a text, also of a number (ids and speakers are often numbers); empty if it is neither.
std::string textOfJson(const nlohmann::json& object, const char* key);
std::optional<double> numberOfJson(const nlohmann::json& object, const char* key);

/// Whether the first line of a file is an object with this key.
bool firstLineHas(const std::filesystem::path& file, const char* key);
/// "train_manifest.json.gz" → "train_manifest"
std::string stemOfJsonLines(const std::filesystem::path& file);
bool isJsonLines(const std::filesystem::path& file);

} // namespace headroom
