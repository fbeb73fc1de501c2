// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/text/longest_text.h"
#include "models/networks/token_scorer.h"
#include "training/decoding/token_constraint.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

namespace headroom::training {

/// When a search ends although its running hypotheses could go on.
enum class EarlyStopping {
    Heuristic, ///< the pool is full, and the best running hypothesis as it is would not enter it
    Full,      ///< the pool is full
    Never      ///< the pool is full, and no running hypothesis could enter it at any length and with any coverage
};

struct BeamSettings {
    int beams = 1;            ///< 1: greedy
    double lengthPenalty = 1; ///< score = sum of ln P / length ^ lengthPenalty, and the coverage; the length includes </s>
    EarlyStopping earlyStopping = EarlyStopping::Heuristic;
    std::int64_t maxNewTokens = kLongestText; ///< without the start token
    /// A text has at most maxNewTokens + ⌊tokensPerFrame · length of its source⌋ tokens (max-len-a of fairseq and Espresso).
    double tokensPerFrame = 0;
    std::int64_t minNewTokens = 0;     ///< </s> is impossible before
    std::int64_t noRepeatNgram = 0;    ///< no n-gram occurs twice, the start token included; 0: off
    std::optional<int> forcedEnd;      ///< this token ends every text at the limit; its ln P counts as 0
    int start = 2, end = 2;            ///< </s>
    /// </s> is impossible where its score is below endFactor · the best score of the next tokens, itself included
    /// (Espresso's eos-factor). At least 1; 0: off.
    double endFactor = 0;
    /// Adds to the score, whatever the length penalty: coverageWeight · the number of encoder tokens to which a text has attended with more than coverageThreshold: the
    /// sum over its tokens of the cross-attention that predicted them (Chorowski & Jaitly 2017, §3.2). 0: off. Needs more
    /// than one beam and a scorer with attention.
    double coverageWeight = 0, coverageThreshold = 0.5;
    std::shared_ptr<const TokenConstraint> constraint{}; ///< which tokens may follow; null: all
};

/// The most tokens of the text of a source, by the settings.
std::int64_t longestText(const BeamSettings& settings, std::int64_t source);

struct BeamHypothesis {
    std::vector<int> ids; ///< after the start token; with the final </s> if the text ended
    double sum = 0;       ///< of ln P
    double score = 0;     ///< sum / length ^ lengthPenalty + coverageWeight · covered; for greedy decoding the sum
    std::vector<double> tokenScores{}; ///< what each token added to the sum
    std::int64_t covered = 0;          ///< encoder tokens, with a coverage
    bool operator==(const BeamHypothesis&) const = default;
};

/// Beam search as in Hugging Face's `generate` (README.md). Searches every recording of the scorer side by
/// side, and drops those that have ended. Returns at most `beams` hypotheses of each, best first.
/// - Of equal sums the earlier beam, then the smaller token wins.
/// - The scorer's limit of tokens holds too.
/// - `texts`: recordings of the scorer, none of which was extended before.
/// - `sources`: the length of each recording; only `tokensPerFrame` needs it.
/// - A text that the constraint does not let end is not among the hypotheses, so there may be none.
/// Throws Error "decoding.settings" for settings without meaning, and Cancelled.
std::vector<std::vector<BeamHypothesis>> beamSearch(models::TokenScorer& scorer, std::int64_t texts,
                                                    const BeamSettings& settings,
                                                    const std::atomic<bool>* cancel = nullptr,
                                                    std::span<const std::int64_t> sources = {});

} // namespace headroom::training
