// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::training {

/// Learns a unigram SentencePiece model as fairseq does for speech: every character covered, ids <s> 0, <pad>
/// 1, </s> 2, <unk> 3. At most `most` pieces, fewer if the sentences do not have as many. One thread; equal
/// sentences in equal order give equal bytes. Throws Error "corpus.noPieces" if the library fails.
struct SentencePieces {
    std::string model;      ///< the bytes of X.model
    std::string vocabulary; ///< the text of X.vocab: piece, tab, score
    int size = 0;
};
SentencePieces learnSentencePieces(const std::vector<std::string>& sentences, int most);

/// What can be chosen of SentencePiece's trainer; the defaults are fairseq's.
struct PieceSettings {
    std::string model = "unigram"; ///< unigram, bpe, char
    int most = 8000;
    double coverage = 1; ///< share of the characters that get a piece
    std::string normalisation = "nmt_nfkc";
};
SentencePieces learnSentencePieces(const std::vector<std::string>& sentences, const PieceSettings& settings);

/// Returns a model whose pieces are exactly these words and the four special ones; text is used verbatim.
/// Some kilobytes. Throws like learnSentencePieces.
SentencePieces wholeWordPieces(const std::vector<std::string>& words);

} // namespace headroom::training
