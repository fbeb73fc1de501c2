// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/piece_words.h"

#include "core/text/tokenizer.h"

#include <cctype>
#include <sstream>

namespace headroom {

namespace {

std::vector<std::string> separatedWords(const std::string& text) {
    std::istringstream stream(text);
    std::vector<std::string> words;
    for (std::string word; stream >> word;)
        words.push_back(std::move(word));
    return words;
}

} // namespace

std::vector<PieceWord> wordsOfGrowingText(std::span<const std::string> growing) {
    std::vector<PieceWord> found;
    std::vector<std::string> before;
    for (std::size_t piece = 0; piece < growing.size(); ++piece) {
        std::vector<std::string> words = separatedWords(growing[piece]);
        if (words == before)
            continue;
        // A letter that was incomplete may have counted as a word of its own.
        if (found.size() > words.size())
            found.resize(words.size());
        // The piece wrote every word that is new, and the last old one if it changed that.
        const std::size_t old = found.size();
        if (old > 0 && (old > before.size() || words[old - 1] != before[old - 1]))
            found[old - 1].end = piece + 1;
        for (std::size_t word = old; word < words.size(); ++word)
            found.push_back({{}, piece, piece + 1});
        before = std::move(words);
    }
    for (std::size_t word = 0; word < found.size(); ++word)
        found[word].label = before[word];
    return found;
}

std::vector<PieceWord> wordsOfPieces(const Tokenizer& tokenizer, std::span<const int> ids) {
    std::vector<std::string> growing;
    for (std::size_t count = 1; count <= ids.size(); ++count)
        growing.push_back(tokenizer.decode(ids.first(count)));
    return wordsOfGrowingText(growing);
}

std::vector<std::string> textsOfPieces(const Tokenizer& tokenizer) {
    const int size = tokenizer.size();
    std::vector<std::string> texts(static_cast<std::size_t>(size));
    const auto decoded = [&](std::initializer_list<int> ids) { return tokenizer.decode(std::vector<int>(ids)); };
    // Between two others, where no space is cut off. They are a piece that writes a letter.
    int between = -1;
    for (int id = 0; id < size && between < 0; ++id) {
        const std::string text = decoded({id});
        if (id != tokenizer.unknownId() && text.size() == 1 && std::isalnum(static_cast<unsigned char>(text[0])))
            between = id;
    }
    for (int id = 0; id < size && between < 0; ++id)
        if (id != tokenizer.unknownId() && !decoded({id}).empty() && decoded({id, id}).size() > decoded({id}).size())
            between = id;
    if (between < 0)
        return texts;
    const std::string before = decoded({between});
    const std::string behind = decoded({between, between}).substr(before.size());
    for (int id = 0; id < size; ++id) {
        const std::string whole = decoded({between, id, between});
        if (id != tokenizer.unknownId() && whole.size() > before.size() + behind.size() && whole.starts_with(before) &&
            whole.ends_with(behind))
            texts[static_cast<std::size_t>(id)] =
                whole.substr(before.size(), whole.size() - before.size() - behind.size());
    }
    return texts;
}

} // namespace headroom
