// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/unknown_characters.h"

#include "core/errors/error.h"
#include "core/errors/utf8.h"
#include "core/text/tokenizer.h"

#include <algorithm>
#include <set>

namespace headroom {


bool UnknownCharacters::isUnknown(const std::string& text) const {
    try {
        const auto ids = m_tokenizer.encode(text);
        return std::find(ids.begin(), ids.end(), m_tokenizer.unknownId()) != ids.end();
    } catch (const Error&) { // a vocabulary without a piece for the unknown
        return true;
    }
}

void UnknownCharacters::add(const std::string& text) {
    if (!isUnknown(text))
        return;
    ++m_texts;
    std::set<std::string> found;
    for (std::size_t at = 0; at < text.size();) {
        const std::string character = text.substr(at, utf8LetterBytes(text, at));
        at += character.size();
        const auto [asked, isNew] = m_asked.try_emplace(character, false);
        if (isNew)
            asked->second = isUnknown(character);
        if (asked->second)
            found.insert(character);
    }
    for (const std::string& character : found)
        ++m_characters[character];
}

} // namespace headroom
