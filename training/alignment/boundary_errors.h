// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "training/alignment/aligner_record.h"

#include <span>
#include <utility>
#include <vector>

namespace headroom::training {

/// Returns pairs (index in left, index in right) of equal labels in the cheapest edit of one sequence into
/// the other (substitution, insertion, deletion cost 1), in order.
std::vector<std::pair<std::size_t, std::size_t>> matchingLabels(std::span<const std::string> left,
                                                                std::span<const std::string> right);

/// How far apart two alignments of the same recordings are. Phones are compared by their class
/// (core/alignment/ phones.h) without stress and silence, words without case; only those that both have
/// count, found by matchingLabels, so that another pronunciation is not taken for a wrong time. A value.
class BoundaryComparison {
public:
    void add(const Alignment& ours, const Alignment& reference);
    std::int64_t utterances() const { return m_utterances; }
    /// Over the start times of matching phones, and of matching words.
    BoundaryErrors phones() const;
    BoundaryErrors words() const;
    /// Returns the signed mean difference of the phones, ours − reference, in milliseconds; NaN if there are
    /// none.
    double phoneBias() const;

private:
    std::vector<double> m_phones, m_words; ///< seconds, ours − reference
    std::int64_t m_utterances = 0;
};

} // namespace headroom::training
