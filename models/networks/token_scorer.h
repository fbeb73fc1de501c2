// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <cstdint>
#include <span>

namespace headroom::models {

/// Scores the continuations of growing texts: a decoder on recordings, or a language model. What a search
/// needs of a model, without a torch type. Each text is a row; rows move as the search keeps and drops
/// texts. One thread at a time per object.
class TokenScorer {
public:
    virtual ~TokenScorer() = default;
    virtual int vocabulary() const = 0;
    /// Tokens that a text may have, the start token included.
    virtual std::int64_t maximumTokens() const = 0;
    /// Row r becomes the text of the previous row `parents[r]`, extended by `tokens[r]`. Returns ln P of the
    /// next token, [row, vocabulary]. Before the first call there is one empty row for each recording or
    /// text, and the first token is the start token. A row may have any number of children, or none.
    /// `parents` and `tokens` have the same length, at least 1.
    virtual Matrix<float> extend(std::span<const std::int64_t> parents, std::span<const int> tokens) = 0;
    /// Keeps the cross-attention of every call of extend(). Called before the first one. Returns false if there is none.
    virtual bool keepAttention() { return false; }
    /// Of the last call of extend(): how each row's last token attends to the encoder's tokens, [row, token], the mean over
    /// the heads of the last layer. Empty unless kept.
    virtual const Matrix<float>& attention() const {
        static const Matrix<float> none;
        return none;
    }
};

} // namespace headroom::models
