// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

// A folder may hold one model for many languages (MMS): what differs lies in “adapter.LANGUAGE.safetensors”,
// and vocab.json has a vocabulary for each. Such a file stands for the model in its language, wherever a
// model or its tokenizer is named by a path.

/// Returns LANGUAGE of “adapter.LANGUAGE.safetensors”; empty for any other file name.
std::string languageOfAdapter(const std::filesystem::path& file);
/// Returns the file of a language in a folder, which need not exist.
std::filesystem::path adapterOf(const std::filesystem::path& folder, const std::string& language);
/// Returns the languages that have such a file in the folder, sorted. Empty if the folder cannot be read.
std::vector<std::string> adapterLanguages(const std::filesystem::path& folder);
/// Returns the language that the folder is in when it is opened itself: “target_lang” of its tokenizer_config.json; empty: none.
std::string ownLanguage(const std::filesystem::path& folder);

} // namespace headroom
