// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/corpus/kinds/source_reading.h"

#include <functional>
#include <initializer_list>
#include <string>

namespace headroom {

/// The names under which tables keep the path of a recording; an earlier one is taken first.
inline constexpr std::initializer_list<const char*> kAudioColumns{
    "audio", "audio_filepath", "file_name", "audio_path", "path", "wav_filename", "wav", "file", "filename"};

/// The language of translations in tables that do not name it.
inline constexpr const char* kUnnamedTarget = "target";

/// Returns the first of these fields that a row has, or an empty text.
using FieldOf = std::function<std::string(std::initializer_list<const char*>)>;

/// Adds the utterance of a row with named fields: recording, text, id, speaker, segment, translation. `base`:
/// where paths begin. `split`: empty if the row names it.
void addColumnRow(SourceReading& reading, const FieldOf& field, const std::filesystem::path& base,
                  const std::string& split, const SourcePlace& place);

} // namespace headroom
