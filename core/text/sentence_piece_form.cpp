// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/sentence_piece_form.h"

#include "core/errors/display_name.h"
#include "core/errors/error.h"
#include "core/errors/unread_file.h"

#include <fstream>
#include <limits>
#include <sentencepiece_processor.h>
#include <sstream>
#include <stdexcept>

namespace headroom {

namespace {

class SentencePieceForm final : public TokenizerForm {
public:
    explicit SentencePieceForm(const std::filesystem::path& model) {
        const std::string name = displayNameInFolder(model);
        std::ifstream in(model, std::ios::binary);
        if (!in || !std::filesystem::is_regular_file(model))
            throw Error("text.missing", unreadText(model), {{"file", name}});
        std::ostringstream bytes;
        bytes << in.rdbuf();
        const auto text = bytes.str();
        // The library's own parser takes any bytes that happen to be a protocol buffer, an empty file among
        // them.
        const bool loaded = !text.empty() && text.size() <= std::size_t(std::numeric_limits<int>::max()) &&
                            m_processor.LoadFromSerializedProto(text).ok() && m_processor.GetPieceSize() > 0;
        if (!loaded)
            throw Error("text.notSentencePiece", name + " is not a SentencePiece model.", {{"file", name}});
    }

    int size() const override { return m_processor.GetPieceSize(); }

    std::vector<int> encode(const std::string& text) const override {
        std::vector<int> ids;
        const auto status = m_processor.Encode(text, &ids);
        if (!status.ok())
            throw std::logic_error("SentencePiece could not encode: " + status.ToString());
        return ids;
    }

    std::string decode(std::span<const int> ids) const override {
        std::vector<int> kept;
        for (const int id : ids)
            if (!m_processor.IsControl(id))
                kept.push_back(id);
        std::string text;
        const auto status = m_processor.Decode(kept, &text);
        if (!status.ok())
            throw std::logic_error("SentencePiece could not decode: " + status.ToString());
        return text;
    }

    std::string piece(int id) const override { return m_processor.IdToPiece(id); }
    int unknownId() const override { return m_processor.unk_id(); }

private:
    sentencepiece::SentencePieceProcessor m_processor;
};

} // namespace

std::unique_ptr<TokenizerForm> readSentencePiece(const std::filesystem::path& model) {
    return std::make_unique<SentencePieceForm>(model);
}

} // namespace headroom
