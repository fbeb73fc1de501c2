// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <vector>

namespace headroom::models {

/// How a text is to be decoded greedily.
struct TextRequest {
    int maximumTokens = 200;
    std::string language{}; ///< "en"; empty: that of the model's rules, otherwise the likeliest one
    std::string task{};     ///< "translate"; empty: that of the model's rules
    bool times = false;     ///< with time tokens
    bool starts = false;    ///< `startSeconds` is wanted
};

/// A text as a decoder wrote it.
struct WrittenText {
    std::vector<int> prompt;   ///< what the decoder was fed before the first token
    std::vector<int> ids;      ///< the tokens after the prompt, with the end token if it came before the limit
    std::string language;      ///< of the prompt; empty if the model has no language tokens
    /// ln P of each id given those before it, among the tokens that the rules allow there.
    std::vector<double> logProbabilities;
    std::vector<double> startSeconds; ///< where each id but the last begins (core/analysis/token_times.h); empty
                                       ///< unless wanted, or if the model names no alignment heads
};

/// A text that greedy decoding found.
struct GreedyText {
    std::vector<int> ids;
    double score = 0;
    std::vector<double> tokenScores; ///< of each id
};

} // namespace headroom::models
