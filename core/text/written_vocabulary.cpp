// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/written_vocabulary.h"

#include "core/model_folders/language_adapter.h"
#include "core/text/character_vocabulary.h"
#include "core/text/tokenizer.h"

namespace headroom {

std::optional<std::pair<std::string, std::string>> writtenVocabulary(const std::filesystem::path& tokenizer) {
    if (!languageOfAdapter(tokenizer).empty())
        return std::pair("vocab.json", CharacterVocabulary(tokenizer).flat());
    if (std::string tokens = writtenTokens(tokenizer); !tokens.empty())
        return std::pair("token_list.yaml", std::move(tokens));
    return std::nullopt;
}

} // namespace headroom
