// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"

#include <fstream>
#include <limits>
#include <sentencepiece_processor.h>
#include <sstream>

namespace headroom {

struct Tokenizer::Implementation {
    sentencepiece::SentencePieceProcessor processor;
    std::string name;

    void check(int id) const {
        if (id < 0 || id >= processor.GetPieceSize())
            throw Error("text.badId",
                        name + " has " + std::to_string(processor.GetPieceSize()) +
                            " pieces, from 0; there is no piece " + std::to_string(id) + ".",
                        {{"file", name}, {"id", id}, {"size", processor.GetPieceSize()}});
    }
};

Tokenizer::Tokenizer(const std::filesystem::path& model) : m(std::make_unique<Implementation>()) {
    m->name = displayNameInFolder(model);
    std::ifstream in(model, std::ios::binary);
    if (!in || !std::filesystem::is_regular_file(model))
        throw Error("text.missing", m->name + " could not be read.", {{"file", m->name}});
    std::ostringstream bytes;
    bytes << in.rdbuf();
    const auto text = bytes.str();
    // The library's own parser takes any bytes that happen to be a protocol buffer, an empty file among them.
    const bool loaded = !text.empty() && text.size() <= std::size_t(std::numeric_limits<int>::max()) &&
                        m->processor.LoadFromSerializedProto(text).ok() && m->processor.GetPieceSize() > 0;
    if (!loaded)
        throw Error("text.notSentencePiece", m->name + " is not a SentencePiece model.", {{"file", m->name}});
}

Tokenizer::~Tokenizer() = default;
Tokenizer::Tokenizer(Tokenizer&&) noexcept = default;
Tokenizer& Tokenizer::operator=(Tokenizer&&) noexcept = default;

int Tokenizer::size() const {
    return m->processor.GetPieceSize();
}

std::vector<int> Tokenizer::encode(const std::string& text) const {
    std::vector<int> ids;
    const auto status = m->processor.Encode(text, &ids);
    if (!status.ok())
        throw std::logic_error("SentencePiece could not encode: " + status.ToString());
    return ids;
}

std::string Tokenizer::decode(std::span<const int> ids) const {
    std::vector<int> kept;
    for (const int id : ids) {
        m->check(id);
        if (!m->processor.IsControl(id))
            kept.push_back(id);
    }
    std::string text;
    const auto status = m->processor.Decode(kept, &text);
    if (!status.ok())
        throw std::logic_error("SentencePiece could not decode: " + status.ToString());
    return text;
}

std::string Tokenizer::piece(int id) const {
    m->check(id);
    return m->processor.IdToPiece(id);
}

} // namespace headroom
