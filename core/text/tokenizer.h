// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace headroom {

/// Wraps SentencePiece. Immutable after loading; safe on every thread.
class Tokenizer {
public:
    /// Throws Error "text.missing" or "text.notSentencePiece", which name the file.
    explicit Tokenizer(const std::filesystem::path& model);
    ~Tokenizer();
    Tokenizer(Tokenizer&&) noexcept;
    Tokenizer& operator=(Tokenizer&&) noexcept;

    int size() const;
    std::vector<int> encode(const std::string& text) const;
    /// Ids outside [0, size()) throw Error "text.badId". Control pieces (<s>, </s>, <pad>) decode to nothing.
    std::string decode(std::span<const int> ids) const;
    std::string piece(int id) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom
