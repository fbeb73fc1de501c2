// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/tokenizer.h"
#include "training/analysis/find_words.h"
#include "training/decoding/text_decoder.h"

#include <algorithm>
#include <set>
#include <sstream>

namespace headroom::training {

using protocol::WordsResult;

namespace {

struct WeighedText {
    std::string text;
    double score;
    std::vector<int> ids;
};

/// Different texts, best first, without the empty one. Different pieces may make one text.
std::vector<WeighedText> bestTexts(models::SpeechModel& model, const Matrix<float>& features, int count,
                                  const models::CancelFlag* cancel) {
    constexpr int kBeams = 5, kPrefixes = 20;
    DecodingSettings settings;
    settings.nBest = std::max(count, model.info().architecture.decoder ? kBeams : kPrefixes);
    (model.info().architecture.decoder ? settings.beam.beams : settings.ctcBeam) = settings.nBest;
    settings.beam.maxNewTokens = std::min(settings.beam.maxNewTokens, model.info().maxTargetTokens);
    const TextDecoder decoder(settings, model.info());
    DecodingSource source;
    source.decoder = [&] { return model.scorer(features); };
    source.ctc = [&](std::int64_t) { return model.ctcLogProbabilities(features); };
    const Tokenizer tokenizer(model.info().tokenizer);
    std::vector<WeighedText> texts;
    std::set<std::string> seen;
    const auto found = decoder.decode(source, cancel); // of one recording
    for (const TextHypothesis& one : found.front()) {
        std::string text = tokenizer.decode(one.ids);
        if (texts.size() < static_cast<std::size_t>(count) && !text.empty() && seen.insert(text).second)
            texts.push_back({std::move(text), one.score, one.ids});
    }
    return texts;
}

/// A text whose words have no times and no pieces: too long for the model.
WordsResult::Hypothesis withoutTimes(const WeighedText& one) {
    WordsResult::Hypothesis hypothesis{one.text, one.score, {}};
    std::istringstream words(one.text);
    for (std::string label; words >> label;)
        hypothesis.words.push_back({label, {}});
    return hypothesis;
}

WordsResult::Hypothesis withTimes(const WeighedText& one, const WordsResult& found) {
    WordsResult::Hypothesis hypothesis{one.text, one.score, {}};
    for (const WordsResult::Word& word : found.words)
        hypothesis.words.push_back({word.label, found.layers > 0 ? word.attention : word.ctc, word.first, word.end});
    hypothesis.pieces = found.pieces;
    return hypothesis;
}

} // namespace

WordsResult findBestWords(models::SpeechModel& model, const Matrix<float>& features, int count,
                          const ArraySink& array, const models::CancelFlag* cancel, bool explain) {
    if (model.info().tokenizer.empty() ||
        (!model.info().architecture.decoder && !model.info().architecture.ctc))
        return findWords(model, features, {}, array, cancel, explain); // says why there is no text
    const std::vector<WeighedText> texts = bestTexts(model, features, count, cancel);
    if (texts.empty())
        return findWords(model, features, {}, array, cancel, explain);
    WordsResult result = findWrittenWords(model, features, texts.front().ids, array, cancel, explain);
    result.hypotheses.push_back(withTimes(texts.front(), result));
    const ArraySink unused = [](const std::string&, const TensorView&) {};
    for (auto one = texts.begin() + 1; one != texts.end(); ++one) {
        try {
            result.hypotheses.push_back(
                withTimes(*one, findWrittenWords(model, features, one->ids, unused, cancel)));
        } catch (const Error&) {
            result.hypotheses.push_back(withoutTimes(*one));
        }
    }
    return result;
}

} // namespace headroom::training
