// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "models/networks/token_scorer.h"

#include <vector>

namespace headroom::training {

/// CTC as a model of the next token, for joint decoding with a decoder (Watanabe et al. 2017, algorithm 2):
/// ln P(h·c, …) − ln P(h, …), where P(h, …) is the sum over all alignments of all texts that begin with h;
/// for </s>, of the alignments of h itself. The blank, and what too few frames allow, has −∞. float64.
class CtcPrefixScorer final : public models::TokenScorer {
public:
    /// `logProbabilities`: ln P [token, label] of each recording, at least one token, equally many labels.
    /// `end`: </s>.
    explicit CtcPrefixScorer(const std::vector<Matrix<double>>& logProbabilities, int blank = 0, int end = 2);

    int vocabulary() const override;
    std::int64_t maximumTokens() const override;
    Matrix<float> extend(std::span<const std::int64_t> parents, std::span<const int> tokens) override;

private:
    struct Recording {
        Matrix<double> logs;          ///< ln P [token, label]
        Matrix<double> probabilities; ///< P
    };
    /// A text h: ln P of its alignments up to each token that end in its last label, and in blank.
    struct Text {
        std::size_t recording;
        int last = -1; ///< −1: none yet
        std::vector<double> label, blank;
        double prefix = 0;            ///< ln P(h, …)
        std::vector<double> extended; ///< ln P(h·c, …) of every c
    };
    Text started(std::size_t recording) const;
    Text grown(const Text& text, int label) const;
    void scoreExtensions(Text& text) const;

    std::vector<Recording> m_recordings;
    int m_blank, m_end;
    std::vector<Text> m_texts;
    bool m_isStarted = false;
};

} // namespace headroom::training
