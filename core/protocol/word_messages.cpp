// SPDX-License-Identifier: GPL-3.0-or-later
// The words of a text in the sound.
#include "core/protocol/message_fields.h"
#include "core/protocol/messages.h"

namespace headroom::protocol {

using nlohmann::json;

json Words::toJson() const {
    json message{{"model", model}, {"text", text}};
    if (nBest > 1)
        message["nBest"] = nBest;
    if (!source.empty())
        message["source"] = source;
    if (explain)
        message["explain"] = true;
    return message;
}
Words Words::from(const json& params) {
    Words message;
    const Fields fields = parametersOf(params, kMethod);
    fields.required("model", message.model);
    fields.optional("text", message.text);
    fields.optional("nBest", message.nBest);
    fields.optional("source", message.source);
    fields.optional("explain", message.explain);
    constexpr int kMost = 100;
    if (message.nBest < 1 || message.nBest > kMost || (message.nBest > 1 && !message.text.empty()))
        fields.refuse("nBest", "a whole number from 1 to 100, and 1 for a given text");
    return message;
}

namespace {

constexpr const char *kSelfBlock = "self", *kCrossBlock = "cross"; // blocks of a decoder layer

json pieceRows(const std::vector<WordsResult::Piece>& pieces) {
    auto rows = json::array();
    for (const WordsResult::Piece& piece : pieces)
        rows.push_back({{"id", piece.id},
                        {"text", piece.text},
                        {"logProbability", numberOrNull(piece.logProbability)},
                        {"ends", piece.ends}});
    return rows;
}

std::vector<WordsResult::Piece> piecesOf(const Fields& fields, bool needed) {
    std::vector<WordsResult::Piece> pieces;
    eachOf(fields, "pieces", Words::kMethod, needed, [&](const Fields& one) {
        WordsResult::Piece& piece = pieces.emplace_back();
        one.optional("id", piece.id);
        one.required("text", piece.text);
        one.numberOrNull("logProbability", piece.logProbability);
        one.optional("ends", piece.ends);
    });
    return pieces;
}

json hypothesisRow(const WordsResult::Hypothesis& one) {
    auto words = json::array();
    for (const auto& word : one.words)
        words.push_back({{"label", word.label},
                         {"start", numberOrNull(word.time.start)},
                         {"end", numberOrNull(word.time.end)},
                         {"pieces", {word.first, word.end}}});
    return {{"text", one.text}, {"score", numberOrNull(one.score)}, {"words", std::move(words)}, {"pieces", pieceRows(one.pieces)}};
}

} // namespace

json WordsResult::toJson() const {
    auto wordRows = json::array(), headRows = json::array();
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
    json message{{"given", given},
            {"text", text},
            {"tokens", tokens},
            {"firstRow", firstRow},
            {"inputs", inputs},
            {"layers", layers},
            {"heads", heads},
            {"pieces", pieceRows(pieces)},
            {"words", std::move(wordRows)},
            {"alignmentHeads", std::move(headRows)},
            {"headsAreNamed", headsAreNamed},
            {"attentionReason", textOrNull(attentionReason)},
            {"ctcReason", textOrNull(ctcReason)}};
    for (const Hypothesis& one : hypotheses)
        message["hypotheses"].push_back(hypothesisRow(one));
    return message;
}
WordsResult WordsResult::from(const json& result) {
    WordsResult message;
    const Fields fields = resultOf(result, Words::kMethod);
    fields.optional("given", message.given);
    fields.required("text", message.text);
    fields.optional("tokens", message.tokens);
    fields.optional("firstRow", message.firstRow);
    fields.optional("inputs", message.inputs);
    fields.optional("layers", message.layers);
    fields.optional("heads", message.heads);
    message.pieces = piecesOf(fields, true);
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
    eachOf(fields, "hypotheses", Words::kMethod, false, [&](const Fields& one) {
        Hypothesis& hypothesis = message.hypotheses.emplace_back();
        one.required("text", hypothesis.text);
        one.numberOrNull("score", hypothesis.score);
        hypothesis.pieces = piecesOf(one, false);
        eachOf(one, "words", Words::kMethod, true, [&](const Fields& spoken) {
            auto& word = hypothesis.words.emplace_back();
            spoken.required("label", word.label);
            spoken.numberOrNull("start", word.time.start);
            spoken.numberOrNull("end", word.time.end);
            std::vector<std::int64_t> range{0, 0};
            spoken.optional("pieces", range);
            const auto pieces = static_cast<std::int64_t>(hypothesis.pieces.size());
            if (range.size() != 2 || range[0] < 0 || range[1] < range[0] || range[1] > pieces)
                spoken.refuse("pieces", "the first piece of the word in its text, and the one after its last");
            word.first = range[0];
            word.end = range[1];
        });
    });
    fields.optional("headsAreNamed", message.headsAreNamed);
    fields.textOrNull("attentionReason", message.attentionReason);
    fields.textOrNull("ctcReason", message.ctcReason);
    return message;
}

json WordMixing::toJson() const {
    json message{{"model", model}, {"layer", layer}, {"inputs", inputs}, {"measures", measures}};
    if (self)
        message["block"] = kSelfBlock;
    if (!checks)
        message["checks"] = false;
    if (!source.empty())
        message["source"] = source;
    return message;
}
WordMixing WordMixing::from(const json& params) {
    WordMixing message;
    const Fields fields = parametersOf(params, kMethod);
    fields.required("model", message.model);
    fields.required("layer", message.layer);
    fields.required("inputs", message.inputs);
    fields.required("measures", message.measures);
    fields.optional("checks", message.checks);
    fields.optional("source", message.source);
    std::string block = kCrossBlock;
    fields.optional("block", block);
    if (block != kSelfBlock && block != kCrossBlock)
        fields.refuse("block", "“self” or “cross”");
    message.self = block == kSelfBlock;
    if (message.layer < 1)
        fields.refuse("layer", "a whole number from 1");
    if (message.inputs.empty())
        fields.refuse("inputs", "a list of at least one token");
    return message;
}

json WordMixingResult::toJson() const {
    auto rows = json::array();
    for (const Measure& one : measures)
        rows.push_back({{"name", one.name},
                        {"reason", textOrNull(one.reason)},
                        {"milliseconds", numberOrNull(one.milliseconds)}});
    return {{"measures", std::move(rows)},
            {"rowSumError", numberOrNull(rowSumError)},
            {"rebuildError", numberOrNull(rebuildError)},
            {"gramError", numberOrNull(gramError)},
            {"reason", textOrNull(reason)}};
}
WordMixingResult WordMixingResult::from(const json& result) {
    WordMixingResult message;
    const Fields fields = resultOf(result, WordMixing::kMethod);
    eachOf(fields, "measures", WordMixing::kMethod, true, [&](const Fields& one) {
        Measure& measure = message.measures.emplace_back();
        one.required("name", measure.name);
        one.textOrNull("reason", measure.reason);
        one.numberOrNull("milliseconds", measure.milliseconds);
    });
    fields.numberOrNull("rowSumError", message.rowSumError);
    fields.numberOrNull("rebuildError", message.rebuildError);
    fields.numberOrNull("gramError", message.gramError);
    fields.textOrNull("reason", message.reason);
    return message;
}

} // namespace headroom::protocol
