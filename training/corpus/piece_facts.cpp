// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/corpus/piece_facts.h"

#include "core/errors/error.h"
#include "core/text/text_words.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <cmath>

namespace headroom::training {

namespace {

constexpr int kSpecialPieces = 4; // <s>, <pad>, </s>, <unk>
const std::string kSpaceMark = "\u2581";

} // namespace

double PieceFacts::piecesPerWord() const {
    return words > 0 ? static_cast<double>(pieces) / static_cast<double>(words) : NAN;
}

struct PieceReader::Implementation {
    sentencepiece::SentencePieceProcessor processor;

    std::vector<int> ids(const std::string& text) const {
        std::vector<int> found;
        if (const auto status = processor.Encode(text, &found); !status.ok())
            throw Error("corpus.noPieces",
                        "SentencePiece could not read a sentence: " + status.ToString() + ".");
        return found;
    }
    double logP(const std::vector<int>& pieces) const {
        double sum = 0;
        for (const int id : pieces)
            sum += static_cast<double>(processor.GetScore(id));
        return sum;
    }
};

PieceReader::PieceReader(const std::string& model) : m(std::make_unique<Implementation>()) {
    if (const auto loaded = m->processor.LoadFromSerializedProto(model); !loaded.ok())
        throw Error("corpus.noPieces",
                    "The learnt SentencePiece model cannot be read: " + loaded.ToString() + ".");
}

PieceReader::~PieceReader() = default;

PieceFacts PieceReader::facts(const std::vector<std::string>& sentences) const {
    PieceFacts facts;
    std::vector<bool> used(static_cast<std::size_t>(m->processor.GetPieceSize()));
    for (const std::string& sentence : sentences) {
        const std::vector<int> ids = m->ids(sentence);
        const auto count = static_cast<std::int64_t>(ids.size());
        ++facts.sentences;
        facts.words += wordCount(sentence);
        facts.pieces += count;
        facts.longest = std::max(facts.longest, count);
        for (const int id : ids) {
            facts.unknown += m->processor.IsUnknown(id) ? 1 : 0;
            used[static_cast<std::size_t>(id)] = true;
        }
    }
    facts.unused = std::count(used.begin() + std::min<std::ptrdiff_t>(kSpecialPieces, std::ssize(used)),
                              used.end(), false);
    return facts;
}

PieceExample PieceReader::example(const std::string& text) const {
    PieceExample example{text, normalised(text), {}, {}, {}};
    m->processor.Encode(text, &example.pieces).IgnoreError();
    std::vector<std::vector<int>> best;
    if (m->processor.NBestEncode(text, 2, &best).ok() && !best.empty()) { // of unigram models
        example.logP = m->logP(best.front());
        if (best.size() > 1)
            example.second = m->logP(best[1]);
    }
    return example;
}

/// The pieces are parts of the normalised text, unknown characters among them.
std::string PieceReader::normalised(const std::string& text) const {
    std::vector<std::string> pieces;
    m->processor.Encode(text, &pieces).IgnoreError();
    std::string joined;
    for (const std::string& piece : pieces)
        joined += piece;
    for (std::size_t at; (at = joined.find(kSpaceMark)) != std::string::npos;)
        joined.replace(at, kSpaceMark.size(), " ");
    const auto first = joined.find_first_not_of(' ');
    return first == std::string::npos ? std::string() : joined.substr(first);
}

std::int64_t PieceReader::changed(const std::vector<std::string>& sentences, std::size_t most,
                                  std::vector<NormalisedText>& examples) const {
    std::int64_t count = 0;
    for (const std::string& sentence : sentences)
        if (std::string after = normalised(sentence); after != sentence) {
            ++count;
            if (examples.size() < most)
                examples.push_back({sentence, std::move(after)});
        }
    return count;
}

} // namespace headroom::training
