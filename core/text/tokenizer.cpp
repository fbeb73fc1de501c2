// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/text/byte_pair_encoding.h"
#include "core/text/sentence_piece_form.h"

namespace headroom {

namespace {

std::unique_ptr<TokenizerForm> readForm(const std::filesystem::path& file) {
    if (file.extension() == ".json")
        return std::make_unique<BytePairEncoding>(file);
    return readSentencePiece(file);
}

} // namespace

Tokenizer::Tokenizer(const std::filesystem::path& model)
    : m_name(displayNameInFolder(model))
    , m_form(readForm(model)) {}

Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

void Tokenizer::check(int id) const {
    if (id < 0 || id >= size())
        throw Error("text.badId",
                    m_name + " has " + std::to_string(size()) + " pieces, from 0; there is no piece " +
                        std::to_string(id) + ".",
                    {{"file", m_name}, {"id", id}, {"size", size()}});
}

int Tokenizer::size() const {
    return m_form->size();
}

std::vector<int> Tokenizer::encode(const std::string& text) const {
    return m_form->encode(text);
}

std::string Tokenizer::decode(std::span<const int> ids) const {
    for (const int id : ids)
        check(id);
    return m_form->decode(ids);
}

std::string Tokenizer::piece(int id) const {
    check(id);
    return m_form->piece(id);
}

} // namespace headroom
