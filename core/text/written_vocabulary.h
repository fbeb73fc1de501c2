// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <utility>

namespace headroom {

/// Returns the vocabulary of a tokenizer that has no file to copy (filesOfTokenizer), as a file of a model
/// folder of Headroom's (name, text): token_list.yaml of the tokens in an archive, vocab.json of one language
/// of many. `nullopt` for any other tokenizer.
std::optional<std::pair<std::string, std::string>> writtenVocabulary(const std::filesystem::path& tokenizer);

} // namespace headroom
