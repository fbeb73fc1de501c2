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

/// The best path through a model's output that says a given text.
struct CtcAlignment {
    std::vector<TokenSpan> labels; ///< one per label, in order, none empty; what is between them is the blank
    double score = 0;              ///< sum over all tokens of what the path chose
};

struct CtcTopology {
    int blank = 0;
    /// Equal labels beside one another have a blank between them, as CTC's collapsing rule demands. False:
    /// for models that learnt from every token's own label, where two equal neighbours need none.
    bool blankBetweenEqual = true;
    /// Where there may be a blank: before label i, and at last behind all of them, labels + 1 places. Empty:
    /// everywhere.
    std::vector<bool> blankAllowed;
};

/// Viterbi over the CTC states of `labels` (Graves et al. 2006, §4.1: blank, label, blank, …, with the
/// maximum for the sum). `scores` [token, label], log-probabilities or what is comparable; −∞ forbids. Every
/// label gets at least one token; of equally good paths the one that stays longest with what comes later.
///
/// Nothing where no path is possible: more labels than tokens, or every path is forbidden. Without labels
/// every token is blank. Memory: one byte per token and state. Throws std::invalid_argument for a label or a
/// blank outside the columns, or a `blankAllowed` of another size.
std::optional<CtcAlignment> alignCtc(MatrixView<const float> scores, std::span<const int> labels,
                                     const CtcTopology& topology = {});

} // namespace headroom::training
