// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/tokenizer.h"

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace headroom::training {

/// Turns a model's ids into text. A Hugging Face folder numbers its pieces in vocab.json (fairseq's order),
/// our own folder as its SentencePiece model does. Immutable after construction.
class Transcriber {
public:
    /// `folder`: the model's; `tokenizer`: its SentencePiece model. Throws Error "text.…".
    Transcriber(const std::filesystem::path& folder, const std::filesystem::path& tokenizer);

    /// Special pieces (<s>, </s>, <pad>, <unk>, <lang:de> …) become nothing. Throws Error "text.badId".
    std::string text(std::span<const int> ids) const;

private:
    std::vector<std::string> m_pieces; ///< by id, from vocab.json; empty where there is none
    std::optional<Tokenizer> m_tokenizer;
};

} // namespace headroom::training
