// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "models/networks/token_scorer.h"

#include <atomic>
#include <cstdint>
#include <optional>
#include <vector>

namespace headroom::training {

/// When a search ends although its running hypotheses could go on.
enum class EarlyStopping {
    Heuristic, ///< the pool is full, and the best running hypothesis as it is would not enter it
    Full,      ///< the pool is full
    Never      ///< as Heuristic, but a running hypothesis is judged by the longest length (length penalty > 0)
};

struct BeamSettings {
    int beams = 1;            ///< 1: greedy
    double lengthPenalty = 1; ///< score = sum of ln P / length ^ lengthPenalty; the length includes </s>
    EarlyStopping earlyStopping = EarlyStopping::Heuristic;
    std::int64_t maxNewTokens = 200;   ///< without the start token
    std::int64_t minNewTokens = 0;     ///< </s> is impossible before
    std::int64_t noRepeatNgram = 0;    ///< no n-gram occurs twice, the start token included; 0: off
    std::optional<int> forcedEnd;      ///< this token ends every text at the limit; its ln P counts as 0
    int start = 2, end = 2;            ///< </s>
};

struct BeamHypothesis {
    std::vector<int> ids; ///< after the start token; with the final </s> if the text ended
    double sum = 0;       ///< of ln P
    double score = 0;     ///< sum / length ^ lengthPenalty; for greedy decoding the sum
    bool operator==(const BeamHypothesis&) const = default;
};

/// Beam search as in Hugging Face's `generate` (README.md). Searches every recording of the scorer side by
/// side, and drops those that have ended. Returns at most `beams` hypotheses of each, best first.
/// - Of equal sums the earlier beam, then the smaller token wins.
/// - The scorer's limit of tokens holds too.
/// - `texts`: recordings of the scorer, none of which was extended before.
/// Throws Error "decoding.settings" for settings without meaning, and Cancelled.
std::vector<std::vector<BeamHypothesis>> beamSearch(models::TokenScorer& scorer, std::int64_t texts,
                                                    const BeamSettings& settings,
                                                    const std::atomic<bool>* cancel = nullptr);

} // namespace headroom::training
