// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/analysis/find_words.h"

#include "core/analysis/token_times.h"
#include "core/errors/count_text.h"
#include "core/errors/utf8.h"
#include "core/tensors/text_array.h"
#include "core/text/piece_words.h"
#include "core/text/tokenizer.h"
#include "core/text/unicode_text.h"
#include "core/text/unknown_characters.h"
#include "training/alignment/ctc_alignment.h"
#include "training/analysis/analysis_arrays.h"
#include "training/decoding/no_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace headroom::training {

namespace {

using protocol::WordsResult;
using Heads = std::vector<std::pair<int, int>>;

constexpr double kMedianSeconds = 0.14; ///< 7 tokens of 20 ms

/// The odd number of tokens nearest to the width of Whisper's median.
int medianWidth(const TokenClock& clock) {
    const auto half = static_cast<int>(std::floor(kMedianSeconds / clock.step().value() / 2));
    return 2 * half + 1;
}

/// From 1: layer and head.
Heads alignmentHeads(const models::ModelInfo& info) {
    Heads heads;
    for (const auto& [layer, head] : info.tokens.alignmentHeads)
        heads.emplace_back(layer + 1, head + 1);
    if (!heads.empty())
        return heads;
    const Architecture::Decoder& decoder = *info.architecture.decoder;
    for (int layer = decoder.layers / 2 + 1; layer <= decoder.layers; ++layer)
        for (int head = 1; head <= headCount(decoder.crossAttention); ++head)
            heads.emplace_back(layer, head);
    return heads;
}

/// What the decoder is fed before the first piece.
std::vector<int> promptOf(models::SpeechModel& model, const Matrix<float>& features) {
    const TokenRules& rules = model.info().tokens;
    const int vocabulary = model.info().architecture.vocabulary;
    if (rules.languages.empty() || !rules.language.empty())
        return rules.prompt(rules.language, false, vocabulary);
    models::TextRequest listen; // the model tells the language
    listen.maximumTokens = 1;
    return model.write(features, listen).prompt;
}

bool hasUnknown(const Tokenizer& tokenizer, const std::vector<int>& ids) {
    const auto unknown = tokenizer.unknownId();
    return unknown >= 0 && std::find(ids.begin(), ids.end(), unknown) != ids.end();
}

/// Names the characters that are missing, and says where lower case would do.
std::string sentenceOfUnknown(const Tokenizer& tokenizer, const std::string& text, const std::string& model, const std::string& which) {
    constexpr std::size_t kMostNamed = 5;
    constexpr std::size_t kMostShown = 80;
    UnknownCharacters unknown(tokenizer), small(tokenizer);
    unknown.add(text);
    small.add(lowerCase(text));
    std::string shown;
    while (shown.size() < std::min(kMostShown, text.size())) // whole letters
        shown += text.substr(shown.size(), utf8LetterBytes(text, shown.size()));
    std::string named;
    std::size_t count = 0;
    for (const auto& [character, texts] : unknown.characters())
        if (++count <= kMostNamed)
            named += (named.empty() ? "“" : ", “") + character + "”";
    if (count > kMostNamed)
        named += " and " + counted(static_cast<std::int64_t>(count - kMostNamed), "other character");
    return "The vocabulary of " + model + " cannot write " + (named.empty() ? "" : named + " in ") + which + " “" + shown +
           (shown.size() < text.size() ? "…" : "") + "”." +
           (unknown.texts() > 0 && small.texts() == 0 ? " It can write the text in lower case." : "");
}

std::vector<int> idsOf(const Tokenizer& tokenizer, const std::string& text, const std::string& model) {
    const std::vector<int> ids = tokenizer.encode(text);
    if (ids.empty() || hasUnknown(tokenizer, ids))
        throw Error("words.unknownText", sentenceOfUnknown(tokenizer, text, model, "the given text"));
    return ids;
}

class WordSearch {
public:
    WordSearch(models::SpeechModel& model, const Matrix<float>& features, const ArraySink& array,
               const models::CancelFlag* cancel, bool explain)
        : m_explain(explain)
        , m_model(model)
        , m_info(model.info())
        , m_features(features)
        , m_array(array)
        , m_cancel(cancel)
        , m_tokenizer(model.info().tokenizer) {}

    /// `written`: the pieces of the text, where they are known.
    WordsResult find(const std::string& text, std::optional<std::vector<int>> written = {}) {
        m_result.given = !text.empty();
        m_written = std::move(written);
        const bool decodes = m_info.architecture.decoder.has_value();
        if (decodes)
            readDecoder(text);
        else
            m_result.attentionReason = m_info.name + " has no decoder, so there is no cross-attention.";
        if (m_info.architecture.ctc)
            readCtc(decodes ? std::vector<int>() : ctcIds(text));
        else
            m_result.ctcReason = m_info.name + " has no CTC output.";
        return std::move(m_result);
    }

private:
    void readDecoder(const std::string& text) {
        const TokenRules& rules = m_info.tokens;
        std::vector<int> inputs;
        if (m_result.given || m_written) {
            inputs = promptOf(m_model, m_features);
            m_result.firstRow = static_cast<std::int64_t>(inputs.size()) - 1;
            // Whisper's text begins with a space, as every word of it does.
            const std::vector<int> ids =
                m_written ? *m_written : idsOf(m_tokenizer, rules.noTimes ? " " + text : text, m_info.name);
            inputs.insert(inputs.end(), ids.begin(), ids.end());
            if (m_written && static_cast<std::int64_t>(inputs.size()) == m_info.maxTargetTokens + 1)
                inputs.pop_back(); // it was written last and never read
            if (static_cast<std::int64_t>(inputs.size()) > m_info.maxTargetTokens)
                throw Error("words.tooLong",
                            "The given text has " + counted(static_cast<std::int64_t>(ids.size()), "piece") +
                                ", but " + m_info.name + " reads at most " +
                                std::to_string(m_info.maxTargetTokens) + " tokens of a text.");
        } else {
            const std::string anyLanguage = rules.languages.empty() ? "" : rules.languages.begin()->first;
            m_result.firstRow = static_cast<std::int64_t>(
                                    rules.prompt(anyLanguage, false, m_info.architecture.vocabulary).size()) -
                                1;
        }
        const Heads heads = alignmentHeads(m_info);
        models::AnalysisOptions options;
        options.explain = options.keepContributions = m_explain;
        options.keepAttention = true;
        std::vector<Matrix<float>> followed;
        const auto written = m_model.analyseDecoder(
            m_features, inputs, options,
            [&](models::DecoderLayerAnalysis&& layer) {
                for (const auto& [name, tensor] : decoderArrays(layer))
                    if (name.ends_with(".attention") || name.ends_with(".contributions"))
                        m_array(name, tensor.view());
                for (const auto& [number, head] : heads)
                    if (number == layer.layer && head >= 1 &&
                        head <= static_cast<int>(layer.cross.attention.size()))
                        followed.push_back(
                            piecesOf(layer.cross.attention[static_cast<std::size_t>(head) - 1]));
            },
            m_cancel);
        m_result.layers = m_info.architecture.decoder->layers;
        m_result.heads = headCount(m_info.architecture.decoder->crossAttention);
        m_result.alignmentHeads = heads;
        m_result.headsAreNamed = !rules.alignmentHeads.empty();
        m_result.tokens = written.tokens;
        m_result.inputs = written.inputs;
        m_array("decoder.input_pieces", textArray(shownPieces(m_tokenizer, written.inputs)).view());
        std::vector<int> ids(written.inputs.begin() + m_result.firstRow + 1, written.inputs.end());
        addPieces(ids, &written.logProbabilities);
        m_result.pieces.push_back(
            {rules.end, m_tokenizer.piece(rules.end), written.logProbabilities.back(), true});
        findByAttention(followed);
    }

    /// The rows that predict a piece: those behind the prompt, and the last of the prompt.
    Matrix<float> piecesOf(const Matrix<float>& map) const {
        const auto first =
            map.values().begin() + m_result.firstRow * static_cast<std::ptrdiff_t>(map.columns());
        return {map.rows() - static_cast<std::size_t>(m_result.firstRow), map.columns(),
                std::vector<float>(first, map.values().end())};
    }

    void addPieces(const std::vector<int>& ids, const std::vector<double>* logProbabilities) {
        for (std::size_t i = 0; i < ids.size(); ++i)
            m_result.pieces.push_back(
                {ids[i], shownPiece(m_tokenizer, ids[i]),
                 logProbabilities ? (*logProbabilities)[static_cast<std::size_t>(m_result.firstRow) + i]
                                  : kUndefined,
                 false});
        m_result.text = m_tokenizer.decode(ids);
        for (const PieceWord& word : wordsOfPieces(m_tokenizer, ids))
            m_result.words.push_back({word.label,
                                      static_cast<std::int64_t>(word.first),
                                      static_cast<std::int64_t>(word.end),
                                      {},
                                      {}});
    }

    double boundary(std::int64_t token) const {
        return std::max(m_info.clock.cellStart(Tokens(token)).value(), 0.0);
    }

    void findByAttention(const std::vector<Matrix<float>>& maps) {
        if (m_info.architecture.frontEnd.reads == InputKind::Text) {
            m_result.attentionReason = "Words of a translation have no times, because their order may differ.";
            return;
        }
        const std::vector<std::int64_t> first = firstKeysOfRows(maps, medianWidth(m_info.clock));
        if (first.size() != m_result.pieces.size()) {
            m_result.attentionReason = "The heads that tell the times of words have no map of every token.";
            return;
        }
        // A separator before a word belongs to it, so that no time is left over between words. Behind every
        // word there is a piece: the end of the text.
        std::int64_t before = m_result.words.empty() ? 0 : m_result.words.front().first;
        for (WordsResult::Word& word : m_result.words) {
            const auto from = static_cast<std::size_t>(std::min(before, word.first));
            word.attention = {boundary(first[from]), boundary(first[static_cast<std::size_t>(word.end)])};
            before = word.end;
        }
    }

    std::vector<int> ctcIds(const std::string& text) {
        const std::vector<int> ids =
            m_written        ? *m_written
            : m_result.given ? idsOf(m_tokenizer, text, m_info.name)
                             : m_model.greedy(m_features);
        addPieces(ids, nullptr);
        return ids;
    }

    void readCtc(std::vector<int> ids) {
        if (m_info.architecture.lengthAdapter) {
            m_result.ctcReason = "The CTC output of " + m_info.name +
                                 " follows a length adapter, whose tokens are not those of the encoder.";
            return;
        }
        if (m_info.architecture.decoder)
            for (const WordsResult::Piece& piece : m_result.pieces)
                if (!piece.ends)
                    ids.push_back(piece.id);
        const Matrix<float> scores = m_model.ctcLogProbabilities(m_features); // [token, label]
        m_result.tokens = static_cast<std::int64_t>(scores.rows());
        const auto inside = [&](int id) {
            return id >= 0 && static_cast<std::size_t>(id) < scores.columns();
        };
        if (!std::all_of(ids.begin(), ids.end(), inside)) {
            m_result.ctcReason =
                "The CTC output of " + m_info.name + " does not have every piece of the text.";
            return;
        }
        Matrix<float> probabilities(ids.size(), scores.rows());
        for (std::size_t piece = 0; piece < ids.size(); ++piece)
            for (std::size_t token = 0; token < scores.rows(); ++token)
                probabilities(piece, token) = std::exp(scores(token, static_cast<std::size_t>(ids[piece])));
        m_array("ctc.probabilities", tensorOf(probabilities).view());
        CtcTopology topology;
        topology.blank = m_info.architecture.ctcBlank;
        const auto path = alignCtc(scores, ids, topology);
        if (!path) {
            m_result.ctcReason = "The text has " + counted(static_cast<std::int64_t>(ids.size()), "piece") +
                                 ", too many for the " +
                                 counted(static_cast<std::int64_t>(scores.rows()), "token") +
                                 " of the recording.";
            return;
        }
        for (WordsResult::Word& word : m_result.words)
            word.ctc = {
                boundary(static_cast<std::int64_t>(path->labels[static_cast<std::size_t>(word.first)].first)),
                boundary(
                    static_cast<std::int64_t>(path->labels[static_cast<std::size_t>(word.end) - 1].last))};
    }

    const bool m_explain;
    models::SpeechModel& m_model;
    const models::ModelInfo& m_info;
    const Matrix<float>& m_features;
    const ArraySink& m_array;
    const models::CancelFlag* m_cancel;
    const Tokenizer m_tokenizer;
    std::optional<std::vector<int>> m_written;
    WordsResult m_result;
};

void requireWords(const models::ModelInfo& info) {
    refuseWithoutText(info, info.name);
    if (!info.architecture.decoder && !info.architecture.ctc)
        throw Error("model.noText", "The model " + info.name +
                                        " has neither a decoder nor a CTC output, from which words get their times.");
}

} // namespace

std::string shownPiece(const Tokenizer& tokenizer, int id) {
    const std::string text = tokenizer.decode(std::span(&id, 1));
    const auto first = text.find_first_not_of(' ');
    constexpr const char* kIncomplete = "\xEF\xBF\xBD"; // a part of a letter
    if (first == std::string::npos || text.find(kIncomplete) != std::string::npos)
        return tokenizer.piece(id);
    return text.substr(first, text.find_last_not_of(' ') + 1 - first);
}

std::vector<std::string> shownPieces(const Tokenizer& tokenizer, const std::vector<int>& ids) {
    std::vector<std::string> pieces;
    for (const int id : ids)
        pieces.push_back(shownPiece(tokenizer, id));
    return pieces;
}

std::vector<std::string> sourcePieces(const Tokenizer& tokenizer, const Matrix<float>& source) {
    std::vector<std::string> pieces;
    for (const float id : source.values())
        pieces.push_back(shownPiece(tokenizer, static_cast<int>(id)));
    return pieces;
}

std::string unknownCharactersSentence(const Tokenizer& tokenizer, const std::string& text, const std::string& model) {
    return hasUnknown(tokenizer, tokenizer.encode(text)) ? sentenceOfUnknown(tokenizer, text, model, "the text") : std::string();
}

WordsResult findWords(models::SpeechModel& model, const Matrix<float>& features, const std::string& text,
                      const ArraySink& array, const models::CancelFlag* cancel, bool explain) {
    requireWords(model.info());
    return WordSearch(model, features, array, cancel, explain).find(text);
}

WordsResult findWrittenWords(models::SpeechModel& model, const Matrix<float>& features, std::vector<int> ids,
                             const ArraySink& array, const models::CancelFlag* cancel, bool explain) {
    const models::ModelInfo& info = model.info();
    requireWords(info);
    if (info.architecture.decoder) { // labels of a CTC output have neither
        const auto firstTime = info.tokens.firstTime(info.architecture.vocabulary);
        std::erase_if(ids, [&](int id) { return id == info.tokens.end || (firstTime && id >= *firstTime); });
    }
    return WordSearch(model, features, array, cancel, explain).find({}, std::move(ids));
}

} // namespace headroom::training
