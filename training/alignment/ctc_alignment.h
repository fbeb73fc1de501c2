// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace headroom::training {

/// The tokens of one label: [first, last).
struct TokenSpan {
    std::size_t first = 0, last = 0;
    bool operator==(const TokenSpan&) const = default;
};

/// The best path of a text through a model's output.
struct CtcAlignment {
    std::vector<TokenSpan> labels; ///< one per label, in order, none empty; the blank fills the gaps
    double score = 0;              ///< sum over all tokens of the path's scores
};

struct CtcTopology {
    int blank = 0;
    /// Whether equal adjacent labels have a blank between them, as CTC's collapsing rule requires. False for
    /// models trained on a label for every token.
    bool blankBetweenEqual = true;
    /// Where a blank is allowed: before label i, and after all of them, labels + 1 entries. Empty:
    /// everywhere.
    std::vector<bool> blankAllowed;
};

/// Viterbi over the CTC states of `labels` (Graves et al. 2006, §4.1: blank, label, blank, …, with the
/// maximum instead of the sum). `scores` [token, label]: log-probabilities or comparable scores; −∞ masks.
/// Every label gets at least one token. Of equally good paths the one that stays longest with later labels
/// wins.
///
/// Returns `nullopt` if no path exists (more labels than tokens, or every path is masked). Without labels
/// every token is blank. Memory: one byte per token and state. Throws std::invalid_argument for a label or a
/// blank outside the columns, or a `blankAllowed` of the wrong size.
std::optional<CtcAlignment> alignCtc(MatrixView<const float> scores, std::span<const int> labels,
                                     const CtcTopology& topology = {});

} // namespace headroom::training
