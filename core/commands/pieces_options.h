// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace headroom {

/// `corpus pieces`: learns the SentencePiece model of a corpus's task again, and says what it does to the
/// texts.
struct PiecesOptions {
    std::filesystem::path data;
    std::string task;                       ///< empty: the corpus's first
    std::string model = "unigram";          ///< of pieceModels()
    int size = 8000;                        ///< at most so many pieces
    double coverage = 1;                    ///< share of the characters that get a piece, 0.9 … 1
    std::string normalisation = "nmt_nfkc"; ///< of pieceNormalisations()
    bool joint = false;                     ///< of the source texts too
    bool separate = false;                  ///< parallel text: one for the sources, one for the targets
    std::vector<int> sizes;                 ///< other sizes whose pieces per word are measured
    std::string text;   ///< an example to be taken apart; empty: the first held-out sentence
    bool trial = false; ///< nothing is written
    bool operator==(const PiecesOptions&) const = default;
};
/// Only options that differ from their defaults are written. Pure.
std::vector<std::string> arguments(const PiecesOptions& options);

/// unigram, bpe, char: SentencePiece's model types.
const std::vector<std::string>& pieceModels();
/// SentencePiece's rules: nmt_nfkc, nmt_nfkc_cf, nfkc, nfkc_cf, identity. _cf folds to lower case.
const std::vector<std::string>& pieceNormalisations();

} // namespace headroom
