// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/corpus/sentence_pieces.h"

#include "core/errors/error.h"

#include <sentencepiece_processor.h>
#include <sentencepiece_trainer.h>
#include <sstream>
#include <unordered_map>

namespace headroom::training {

namespace {

class Sentences final : public sentencepiece::SentenceIterator {
public:
    explicit Sentences(const std::vector<std::string>& sentences) : m_sentences(sentences) {}
    bool done() const override { return m_at >= m_sentences.size(); }
    void Next() override { ++m_at; }
    const std::string& value() const override { return m_sentences[m_at]; }
    sentencepiece::util::Status status() const override { return {}; }

private:
    const std::vector<std::string>& m_sentences;
    std::size_t m_at = 0;
};

SentencePieces learn(const std::vector<std::string>& sentences,
                     const std::unordered_map<std::string, std::string>& settings, bool canCoverLess = false) {
    SentencePieces result;
    const auto refused = [](const std::string& reason) {
        return Error("corpus.noPieces",
                     "SentencePiece could learn no pieces from the corpus: " + reason + ".");
    };
    Sentences iterator(sentences);
    const auto learnt = sentencepiece::SentencePieceTrainer::Train(settings, &iterator, &result.model);
    if (learnt.ToString().find("smaller than required_chars") != std::string::npos)
        throw refused(settings.at("vocab_size") + " pieces are fewer than the characters of the texts. Ask for more pieces" +
                      (canCoverLess ? ", or cover fewer characters" : ""));
    if (!learnt.ok())
        throw refused(learnt.ToString());
    sentencepiece::SentencePieceProcessor processor;
    if (const auto loaded = processor.LoadFromSerializedProto(result.model); !loaded.ok())
        throw refused(loaded.ToString());
    result.size = processor.GetPieceSize();
    std::ostringstream lines;
    lines.imbue(std::locale::classic());
    for (int id = 0; id < result.size; ++id)
        lines << processor.IdToPiece(id) << '\t' << processor.GetScore(id) << '\n';
    result.vocabulary = lines.str();
    return result;
}

/// As fairseq numbers and as equal sentences give equal bytes.
std::unordered_map<std::string, std::string> settingsFor(const std::string& kind, std::size_t most) {
    return {
        {"model_type", kind},
        {"vocab_size", std::to_string(most)},
        {"hard_vocab_limit", "false"},
        {"character_coverage", "1.0"},
        {"bos_id", "0"},
        {"pad_id", "1"},
        {"eos_id", "2"},
        {"unk_id", "3"},
        {"num_threads", "1"},
        {"shuffle_input_sentence", "false"},
        {"minloglevel", "2"},
    };
}

} // namespace

SentencePieces learnSentencePieces(const std::vector<std::string>& sentences, int most) {
    return learn(sentences, settingsFor("unigram", static_cast<std::size_t>(most)));
}

SentencePieces learnSentencePieces(const std::vector<std::string>& sentences, const PieceSettings& settings) {
    auto values = settingsFor(settings.model, static_cast<std::size_t>(settings.most));
    std::ostringstream coverage;
    coverage.imbue(std::locale::classic());
    coverage << settings.coverage;
    values["character_coverage"] = coverage.str();
    values["normalization_rule_name"] = settings.normalisation;
    return learn(sentences, values, true);
}

SentencePieces wholeWordPieces(const std::vector<std::string>& words) {
    auto settings = settingsFor("word", words.size() + 4);
    settings["normalization_rule_name"] = "identity";
    return learn(words, settings);
}

} // namespace headroom::training
