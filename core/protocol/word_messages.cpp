// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a text in the sound.
#include "core/protocol/message_fields.h"
#include "core/protocol/messages.h"

namespace headroom::protocol {

using nlohmann::json;

json Words::toJson() const {
    return {{"model", model}, {"text", text}};
}
Words Words::from(const json& params) {
    Words message;
    const Fields fields = parametersOf(params, kMethod);
    fields.required("model", message.model);
    fields.optional("text", message.text);
    return message;
}

json WordsResult::toJson() const {
    auto pieceRows = json::array(), wordRows = json::array(), headRows = json::array();
    for (const Piece& piece : pieces)
        pieceRows.push_back({{"id", piece.id},
                             {"text", piece.text},
                             {"logProbability", numberOrNull(piece.logProbability)},
                             {"ends", piece.ends}});
    for (const Word& word : words)
        wordRows.push_back({{"label", word.label},
                            {"first", word.first},
                            {"end", word.end},
                            {"attentionStart", numberOrNull(word.attention.start)},
                            {"attentionEnd", numberOrNull(word.attention.end)},
                            {"ctcStart", numberOrNull(word.ctc.start)},
                            {"ctcEnd", numberOrNull(word.ctc.end)}});
    for (const auto& [layer, head] : alignmentHeads)
        headRows.push_back({{"layer", layer}, {"head", head}});
    return {{"given", given},
            {"text", text},
            {"tokens", tokens},
            {"firstRow", firstRow},
            {"layers", layers},
            {"heads", heads},
            {"pieces", std::move(pieceRows)},
            {"words", std::move(wordRows)},
            {"alignmentHeads", std::move(headRows)},
            {"headsAreNamed", headsAreNamed},
            {"attentionReason", textOrNull(attentionReason)},
            {"ctcReason", textOrNull(ctcReason)}};
}
WordsResult WordsResult::from(const json& result) {
    WordsResult message;
    const Fields fields = resultOf(result, Words::kMethod);
    fields.optional("given", message.given);
    fields.required("text", message.text);
    fields.optional("tokens", message.tokens);
    fields.optional("firstRow", message.firstRow);
    fields.optional("layers", message.layers);
    fields.optional("heads", message.heads);
    eachOf(fields, "pieces", Words::kMethod, true, [&](const Fields& one) {
        Piece& piece = message.pieces.emplace_back();
        one.optional("id", piece.id);
        one.required("text", piece.text);
        one.numberOrNull("logProbability", piece.logProbability);
        one.optional("ends", piece.ends);
    });
    eachOf(fields, "words", Words::kMethod, true, [&](const Fields& one) {
        Word& word = message.words.emplace_back();
        one.required("label", word.label);
        one.required("first", word.first);
        one.required("end", word.end);
        one.numberOrNull("attentionStart", word.attention.start);
        one.numberOrNull("attentionEnd", word.attention.end);
        one.numberOrNull("ctcStart", word.ctc.start);
        one.numberOrNull("ctcEnd", word.ctc.end);
        const auto pieces = static_cast<std::int64_t>(message.pieces.size());
        if (word.first < 0 || word.end <= word.first || word.end > pieces)
            fields.refuse("words", "a list of words with pieces of the text");
    });
    eachOf(fields, "alignmentHeads", Words::kMethod, false, [&](const Fields& one) {
        auto& [layer, head] = message.alignmentHeads.emplace_back();
        one.required("layer", layer);
        one.required("head", head);
    });
    fields.optional("headsAreNamed", message.headsAreNamed);
    fields.textOrNull("attentionReason", message.attentionReason);
    fields.textOrNull("ctcReason", message.ctcReason);
    return message;
}

} // namespace headroom::protocol
