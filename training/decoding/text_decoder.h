// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/checkpoints/model_info.h"
#include "training/decoding/beam_search.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace headroom::training {

/// How text is decoded; the options of `transcribe` and `evaluate`.
struct DecodingSettings {
    BeamSettings beam;
    int nBest = 1; ///< hypotheses of each recording, at most as many as beams
    std::filesystem::path languageModel; ///< a model folder; empty: none
    double languageModelWeight = 0;
    /// "internal" (the speech model without its encoder), the folder of a language model of the training
    /// texts (density ratio), or empty.
    std::string subtract;
    double subtractWeight = 0;
    /// λ: the decoder's ln P has the weight 1 − λ, that of the CTC output (ctc_prefix_scorer.h) λ. 0 … 1.
    double ctcWeight = 0;
    int ctcBeam = 0; ///< prefixes of a CTC prefix search instead of the decoder; 0: none
    double lengthBonus = 0; ///< of the CTC search, for each label
    std::filesystem::path arpa; ///< of the CTC search: an n-gram model of words (ngram_model.h); empty: none
    double arpaWeight = 0;
    /// Files of the only words, or pieces, that a text may have (token_constraint.h); empty: any. At most one of them.
    std::filesystem::path onlyWords, onlyPieces;
    /// One beam without anything else: the models' own greedy decoding.
    bool isGreedy() const {
        return beam.beams == 1 && nBest == 1 && languageModel.empty() && subtract.empty() && ctcWeight == 0 &&
               ctcBeam == 0 && beam.minNewTokens == 0 && beam.noRepeatNgram == 0 && beam.tokensPerFrame == 0 &&
               beam.endFactor == 0 && beam.coverageWeight == 0 && onlyWords.empty() && onlyPieces.empty();
    }
};

/// A text found for a recording.
struct TextHypothesis {
    std::vector<int> ids; ///< without the start token; with </s> if the text ended; of CTC the labels
    double score = 0;     ///< as BeamHypothesis or CtcHypothesis
    /// Of each id: what it added to the sum of the search; of a CTC search ln P of the label given those before it
    /// (ctcTokenScores), without language model and bonus.
    std::vector<double> tokenScores{};
};

/// The length of what a model reads, as `tokensPerFrame` counts it: frames of 10 ms, or tokens of a text with </s>.
/// `rows`: of the model's input.
std::int64_t sourceLength(const ModelInput& input, std::int64_t rows);

/// Recordings to decode: scorers over all of them side by side, made when needed.
struct DecodingSource {
    std::int64_t recordings = 1;
    std::function<std::unique_ptr<models::TokenScorer>()> decoder;
    std::function<std::unique_ptr<models::TokenScorer>()> internalLanguageModel;
    std::function<Matrix<float>(std::int64_t recording)> ctc; ///< ln P [token, label]
    std::vector<std::int64_t> lengths{}; ///< sourceLength() of each; only `tokensPerFrame` needs them
};

/// Decodes with the models that the settings name. Opens them once. One thread at a time.
class TextDecoder {
public:
    /// Throws Error "decoding.settings" for settings that contradict each other or the speech model,
    /// "decoding.languageModel" for a folder that is no language model or has other pieces than the speech
    /// model, "decoding.words" for words or pieces that the speech model cannot write, and what opening a model or an ARPA file
    /// throws.
    TextDecoder(DecodingSettings settings, const models::ModelInfo& speech);
    ~TextDecoder();
    const DecodingSettings& settings() const;
    /// Returns at most `nBest` hypotheses for each recording, best first.
    std::vector<std::vector<TextHypothesis>> decode(const DecodingSource& source,
                                                    const std::atomic<bool>* cancel = nullptr) const;

private:
    struct Implementation;
    std::unique_ptr<Implementation> m;
};

} // namespace headroom::training
