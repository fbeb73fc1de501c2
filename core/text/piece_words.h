// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace headroom {

class Tokenizer;

/// A word of a text, and the pieces [first, end) that write it. Two words may share a piece.
struct PieceWord {
    std::string label; ///< as written, with its punctuation
    std::size_t first = 0, end = 0;
    bool operator==(const PieceWord&) const = default;
};

/// Returns which pieces write each word. `growing[i]`: the text of the pieces 0 … i; words are what white
/// space separates. This serves every kind of vocabulary. A piece that adds no letter (a separator, a control
/// piece) is part of no word. Text without spaces is one word. Pure.
std::vector<PieceWord> wordsOfGrowingText(std::span<const std::string> growing);
/// The same of a tokenizer's pieces. Throws Error "text.badId".
std::vector<PieceWord> wordsOfPieces(const Tokenizer& tokenizer, std::span<const int> ids);

/// Returns what each piece of the vocabulary adds to a text that goes on, with its spaces; empty for the pieces that add
/// nothing (control pieces) and for that of unknown text. A piece that is a part of a letter adds a replacement character.
std::vector<std::string> textsOfPieces(const Tokenizer& tokenizer);

} // namespace headroom
