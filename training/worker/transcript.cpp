// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/worker/transcript.h"

#include "core/errors/error.h"

#include <fstream>

namespace headroom::training {

namespace {

constexpr std::string_view kWordStart = "\u2581"; // ▁, SentencePiece's blank

std::vector<std::string> readPieces(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    const auto document = nlohmann::json::parse(stream, nullptr, false);
    if (!document.is_object())
        throw Error("text.badVocabulary", file.string() + " is not a JSON object of pieces and ids.");
    std::vector<std::string> pieces(document.size());
    for (const auto& [piece, id] : document.items()) {
        if (!id.is_number_unsigned() || id.get<std::uint64_t>() >= pieces.size())
            throw Error("text.badVocabulary", file.string() + " gives the piece \"" + piece + "\" the id " +
                                                  id.dump() + "; its " + std::to_string(pieces.size()) +
                                                  " pieces need ids from 0.");
        pieces[id.get<std::size_t>()] = piece;
    }
    return pieces;
}

bool isSpecial(const std::string& piece) {
    return piece.size() > 2 && piece.front() == '<' && piece.back() == '>';
}

} // namespace

Transcriber::Transcriber(const std::filesystem::path& folder, const std::filesystem::path& tokenizer) {
    if (std::filesystem::exists(folder / "vocab.json"))
        m_pieces = readPieces(folder / "vocab.json");
    else
        m_tokenizer.emplace(tokenizer);
}

std::string Transcriber::text(std::span<const int> ids) const {
    if (m_tokenizer)
        return m_tokenizer->decode(ids);
    std::string text;
    for (const int id : ids) {
        if (id < 0 || static_cast<std::size_t>(id) >= m_pieces.size())
            throw Error("text.badId", "The model made the id " + std::to_string(id) +
                                          "; its vocabulary has " + std::to_string(m_pieces.size()) +
                                          " pieces.");
        const auto& piece = m_pieces[static_cast<std::size_t>(id)];
        if (!isSpecial(piece))
            text += piece;
    }
    for (auto at = text.find(kWordStart); at != std::string::npos; at = text.find(kWordStart, at + 1))
        text.replace(at, kWordStart.size(), " ");
    return text.starts_with(' ') ? text.substr(1) : text;
}

} // namespace headroom::training
