// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/matrix.h"
#include "models/networks/model_scorers.h"
#include "training/decoding/token_constraint.h"

#include <atomic>
#include <memory>
#include <vector>

namespace headroom::training {

/// A language model over the labels of a CTC output, for a search that extends prefixes one by one.
class LabelLanguageModel {
public:
    /// What the model knows after a prefix. `next`: ln P of each label that may follow; element 0, the blank's
    /// place, is ln P of the end of the text.
    struct State {
        std::vector<double> next;
        virtual ~State() = default;
    };
    using StatePointer = std::shared_ptr<const State>;

    virtual ~LabelLanguageModel() = default;
    virtual StatePointer start() = 0;
    virtual StatePointer extend(const State& state, int label) = 0;
};

struct CtcSearchSettings {
    int beam = 100; ///< prefixes kept after each frame
    int blank = 0;
    double languageModelWeight = 0, lengthBonus = 0; ///< the bonus is added once for each label
    bool endOfText = false; ///< adds languageModelWeight · ln P(end) at the very end
    std::shared_ptr<const TokenConstraint> constraint{}; ///< which labels may follow; null: all
};

struct CtcHypothesis {
    std::vector<int> labels;
    double score = 0; ///< ctc + languageModelWeight · ln P_lm + lengthBonus · labels
    double ctc = 0;   ///< ln of the sum over the alignments that the beam kept, at most ctcLogProbability()
};

/// CTC prefix beam search (Graves & Jaitly 2014, Hannun et al. 2014) in float64 over `logProbabilities`
/// [frame, label], natural logarithms. Returns the prefixes of the last beam, best first; of equal scores the
/// smaller label sequence comes first. No label is pruned before it is scored. `languageModel` may be null.
/// A prefix that the constraint does not let end is left out, so there may be none.
/// Throws Error "decoding.settings" and models::Cancelled.
std::vector<CtcHypothesis> ctcPrefixSearch(MatrixView<const double> logProbabilities,
                                           const CtcSearchSettings& settings,
                                           LabelLanguageModel* languageModel = nullptr,
                                           const std::atomic<bool>* cancel = nullptr);

/// Returns ln P of a label sequence: the sum over all alignments (the forward algorithm, Graves et al. 2006).
/// −∞ if there are too few frames for it.
double ctcLogProbability(MatrixView<const double> logProbabilities, const std::vector<int>& labels,
                         int blank = 0);

/// Returns what each label adds to ln P of all texts that begin so: ln P(h_1 … h_k …) − ln P(h_1 … h_k−1 …), each the
/// sum over all alignments. −∞ where there are too few frames.
std::vector<double> ctcTokenScores(MatrixView<const double> logProbabilities, const std::vector<int>& labels,
                                   int blank = 0);

/// A language model over a decoder's vocabulary, whose </s> is the end of the text.
class TokenLanguageModel final : public LabelLanguageModel {
public:
    /// `start`: the model after the start token.
    explicit TokenLanguageModel(std::shared_ptr<const models::TextScorer> start)
        : m_start(std::move(start)) {}
    StatePointer start() override;
    StatePointer extend(const State& state, int label) override;

private:
    std::shared_ptr<const models::TextScorer> m_start;
};

/// A bigram: ln P [label, label]; row 0 is the start of the text, column 0 its end.
class BigramModel final : public LabelLanguageModel {
public:
    explicit BigramModel(Matrix<double> logProbabilities) : m_table(std::move(logProbabilities)) {}
    StatePointer start() override { return after(0); }
    StatePointer extend(const State&, int label) override { return after(label); }

private:
    StatePointer after(int label) const;
    Matrix<double> m_table;
};

} // namespace headroom::training
