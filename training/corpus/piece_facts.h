// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace headroom::training {

/// What a SentencePiece model makes of sentences.
struct PieceFacts {
    std::int64_t sentences = 0, words = 0, pieces = 0;
    std::int64_t unknown = 0;     ///< pieces that the model cannot write
    std::int64_t longest = 0;     ///< pieces of the longest sentence
    std::int64_t unused = 0;      ///< pieces of the model that occur in no sentence
    double piecesPerWord() const; ///< NaN without words
};

/// A text taken apart.
struct PieceExample {
    std::string text, normalised; ///< as given; as the model reads it
    std::vector<std::string> pieces;
    std::optional<double> logP, second; ///< ln P of the pieces, and of the second best way; of unigram models
};

/// A text that the model's normalisation changes.
struct NormalisedText {
    std::string before, after;
};

/// Reads a SentencePiece model. Not thread-safe.
class PieceReader {
public:
    /// `model`: the bytes of X.model. Throws Error "corpus.noPieces" if they are none.
    explicit PieceReader(const std::string& model);
    ~PieceReader();

    PieceFacts facts(const std::vector<std::string>& sentences) const;
    PieceExample example(const std::string& text) const;
    std::string normalised(const std::string& text) const;
    /// How many of the sentences the normalisation changes; the first `most` of them in `examples`.
    std::int64_t changed(const std::vector<std::string>& sentences, std::size_t most,
                         std::vector<NormalisedText>& examples) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::training
