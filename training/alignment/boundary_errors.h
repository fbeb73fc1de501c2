// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/alignment/text_grid.h"
#include "training/alignment/aligner_record.h"

#include <vector>

namespace headroom::training {

/// How far apart two alignments of the same recordings are. Phones are compared by their class
/// (core/alignment/phones.h) without stress and silence, words without case. Only those that both have count,
/// found by matchingLabels (core/alignment/word_distance.h), so that another pronunciation is not taken for a
/// wrong time. A value.
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
