// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom::training {

/// Learns a unigram SentencePiece model as fairseq does for speech: every character covered, ids <s> 0, <pad>
/// 1,
/// </s> 2, <unk> 3. `most` pieces, fewer where the sentences do not hold as many. One thread; equal sentences
/// in equal order give equal bytes. Throws Error "corpus.noPieces" where the library refuses.
struct SentencePieces {
    std::string model;      ///< the bytes of X.model
    std::string vocabulary; ///< the text of X.vocab: piece, tab, score
    int size = 0;
};
SentencePieces learnSentencePieces(const std::vector<std::string>& sentences, int most);

/// A model whose pieces are these words, whole ones, and the four above; text is taken as it is written. Some
/// kilobytes. Throws as learnSentencePieces does.
SentencePieces wholeWordPieces(const std::vector<std::string>& words);

} // namespace headroom::training
