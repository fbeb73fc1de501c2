// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/decoding/ctc_prefix_search.h"

#include "core/errors/error.h"
#include "models/contributions/cancel.h"
#include "training/decoding/log_sum.h"

#include <algorithm>
#include <deque>
#include <limits>
#include <numeric>
#include <unordered_map>

namespace headroom::training {
namespace {

/// A prefix that was in the beam once. Prefixes are a tree, so that equal ones meet in one node.
struct PrefixNode {
    PrefixNode* parent = nullptr;
    int label = -1; ///< the last one; −1 of the empty prefix
    int length = 0;
    double languageModel = 0; ///< ln P of the labels
    LabelLanguageModel::StatePointer state;
    std::unordered_map<int, PrefixNode*> children;
    std::size_t entry = 0; ///< in the current beam, from 1; 0: not there
    int allowed = TokenConstraint::kStart; ///< state of the constraint
};

std::vector<int> labelsOf(const PrefixNode* node) {
    std::vector<int> labels;
    for (; node->parent; node = node->parent)
        labels.push_back(node->label);
    std::reverse(labels.begin(), labels.end());
    return labels;
}

/// A prefix in the beam: ln P of its alignments that end in blank, and in its last label.
struct BeamEntry {
    PrefixNode* node;
    double blank, label;
    double total() const { return logSum(blank, label); }
};

/// A prefix that may be in the next beam: one of this beam (`label` −1), or one of it with a new label.
struct PrefixCandidate {
    std::size_t parent;
    int label;
    double ending[2]; ///< in blank, in the last label
    double score;
};

class PrefixSearch {
public:
    PrefixSearch(const CtcSearchSettings& settings, LabelLanguageModel* languageModel)
        : m_settings(settings)
        , m_languageModel(settings.languageModelWeight != 0 ? languageModel : nullptr) {
        m_nodes.emplace_back();
        if (m_languageModel)
            m_nodes.back().state = m_languageModel->start();
        m_beam.push_back({&m_nodes.back(), 0, kLogZero});
    }

    void frame(std::span<const double> row) {
        m_candidates.clear();
        for (std::size_t i = 0; i < m_beam.size(); ++i)
            m_beam[i].node->entry = i + 1;
        sortLabels(row);
        stay(row);
        for (std::size_t i = 0; i < m_beam.size(); ++i)
            grow(i, row);
        for (const BeamEntry& entry : m_beam)
            entry.node->entry = 0;
        choose();
    }

    std::vector<CtcHypothesis> result() const {
        std::vector<CtcHypothesis> found;
        for (const BeamEntry& entry : m_beam) {
            if (m_settings.constraint && !m_settings.constraint->mayEnd(entry.node->allowed))
                continue;
            const double ctc = entry.total();
            double score = ctc + rest(*entry.node);
            if (m_languageModel && m_settings.endOfText)
                score += m_settings.languageModelWeight * entry.node->state->next.at(0);
            found.push_back({labelsOf(entry.node), score, ctc});
        }
        std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) {
            return a.score != b.score ? a.score > b.score : a.labels < b.labels;
        });
        return found;
    }

private:
    /// The part of a score that is not CTC's.
    double rest(const PrefixNode& node) const {
        return m_settings.languageModelWeight * node.languageModel + m_settings.lengthBonus * node.length;
    }

    void sortLabels(std::span<const double> row) {
        m_order.clear();
        if (m_settings.constraint)
            return; // each prefix has labels of its own
        for (std::size_t label = 0; label < row.size(); ++label)
            if (static_cast<int>(label) != m_settings.blank)
                m_order.push_back(static_cast<int>(label));
        // Without a language model, the best labels of a frame are the best of every prefix: see grow(). A prefix adds at
        // most `beam` labels to the next beam, beside as many that are there already.
        const auto better = [&](int a, int b) {
            const double left = row[static_cast<std::size_t>(a)], right = row[static_cast<std::size_t>(b)];
            return left != right ? left > right : a < b;
        };
        const std::size_t most = 2 * static_cast<std::size_t>(m_settings.beam);
        if (!m_languageModel && m_order.size() > most) {
            std::nth_element(m_order.begin(), m_order.begin() + static_cast<std::ptrdiff_t>(most) - 1, m_order.end(), better);
            m_order.resize(most);
        }
        std::sort(m_order.begin(), m_order.end(), better);
    }

    /// The prefixes of the beam themselves: a blank, the last label again, or what their parents add.
    void stay(std::span<const double> row) {
        for (std::size_t i = 0; i < m_beam.size(); ++i) {
            const BeamEntry& entry = m_beam[i];
            PrefixCandidate next{i, -1, {kLogZero, kLogZero}, 0};
            next.ending[0] = entry.total() + row[static_cast<std::size_t>(m_settings.blank)];
            if (entry.node->parent) {
                const double again = row[static_cast<std::size_t>(entry.node->label)];
                next.ending[1] = entry.label + again;
                if (const std::size_t parent = entry.node->parent->entry) {
                    const BeamEntry& shorter = m_beam[parent - 1];
                    const bool repeats = shorter.node->label == entry.node->label;
                    next.ending[1] =
                        logSum(next.ending[1], (repeats ? shorter.blank : shorter.total()) + again);
                }
            }
            next.score = logSum(next.ending[0], next.ending[1]) + rest(*entry.node);
            add(next);
        }
    }

    /// A prefix of the beam with each label behind it that is not in the beam itself.
    void grow(std::size_t i, std::span<const double> row) {
        const BeamEntry& entry = m_beam[i];
        const double total = entry.total(), base = rest(*entry.node) + m_settings.lengthBonus;
        const double weight = m_settings.languageModelWeight;
        const std::vector<double>* next = m_languageModel ? &entry.node->state->next : nullptr;
        const auto offer = [&](int label, double here) {
            if (isInBeam(*entry.node, label))
                return; // stay() has it
            PrefixCandidate candidate{i, label, {kLogZero, kLogZero}, 0};
            candidate.ending[1] = (label == entry.node->label ? entry.blank : total) + here;
            candidate.score = candidate.ending[1] + base +
                              (next ? weight * (*next)[static_cast<std::size_t>(label)] : 0.0);
            add(candidate);
        };
        if (m_settings.constraint) {
            for (const TokenConstraint::Step& step : m_settings.constraint->steps(entry.node->allowed))
                if (step.token != m_settings.blank && static_cast<std::size_t>(step.token) < row.size())
                    offer(step.token, row[static_cast<std::size_t>(step.token)]);
            return;
        }
        for (const int label : m_order) {
            const double here = row[static_cast<std::size_t>(label)];
            // ln P_lm ≤ 0: what follows is no better, so no later label can enter the beam.
            if (total + here + base < m_least && (!next || weight >= 0))
                break;
            offer(label, here);
        }
    }

    static bool isInBeam(const PrefixNode& node, int label) {
        const auto child = node.children.find(label);
        return child != node.children.end() && child->second->entry;
    }

    void add(const PrefixCandidate& candidate) {
        if (!(candidate.score >= m_least) || candidate.score == kLogZero)
            return;
        m_candidates.push_back(candidate);
        const auto beam = static_cast<std::size_t>(m_settings.beam);
        if (m_candidates.size() >= 4 * beam + 64) { // drops what cannot be among the best any more
            std::nth_element(m_candidates.begin(), m_candidates.begin() + m_settings.beam - 1,
                             m_candidates.end(),
                             [](const auto& a, const auto& b) { return a.score > b.score; });
            m_least = m_candidates[beam - 1].score;
            std::erase_if(m_candidates, [&](const auto& one) { return one.score < m_least; });
        }
    }

    std::vector<int> labelsOfCandidate(const PrefixCandidate& candidate) const {
        std::vector<int> labels = labelsOf(m_beam[candidate.parent].node);
        if (candidate.label >= 0)
            labels.push_back(candidate.label);
        return labels;
    }

    void choose() {
        std::sort(m_candidates.begin(), m_candidates.end(), [&](const auto& a, const auto& b) {
            if (a.score != b.score)
                return a.score > b.score;
            return labelsOfCandidate(a) < labelsOfCandidate(b);
        });
        if (m_candidates.size() > static_cast<std::size_t>(m_settings.beam))
            m_candidates.resize(static_cast<std::size_t>(m_settings.beam));
        std::vector<BeamEntry> next;
        for (const PrefixCandidate& candidate : m_candidates)
            next.push_back({nodeOf(candidate), candidate.ending[0], candidate.ending[1]});
        forgetStates(next);
        m_beam = std::move(next);
        m_least = kLogZero;
    }

    /// A state may hold a row of the vocabulary: only prefixes in the beam keep theirs.
    void forgetStates(const std::vector<BeamEntry>& next) {
        for (const BeamEntry& entry : next)
            entry.node->entry = 1;
        for (const BeamEntry& entry : m_beam)
            if (!entry.node->entry)
                entry.node->state.reset();
        for (const BeamEntry& entry : next)
            entry.node->entry = 0;
    }

    PrefixNode* nodeOf(const PrefixCandidate& candidate) {
        PrefixNode* parent = m_beam[candidate.parent].node;
        if (candidate.label < 0)
            return parent;
        PrefixNode*& child = parent->children[candidate.label];
        if (!child) {
            child = &m_nodes.emplace_back();
            child->parent = parent;
            child->label = candidate.label;
            child->length = parent->length + 1;
            if (m_settings.constraint)
                child->allowed = m_settings.constraint->after(parent->allowed, candidate.label);
            if (m_languageModel)
                child->languageModel = parent->languageModel +
                                       parent->state->next[static_cast<std::size_t>(candidate.label)];
        }
        if (m_languageModel && !child->state)
            child->state = m_languageModel->extend(*parent->state, candidate.label);
        return child;
    }

    const CtcSearchSettings& m_settings;
    LabelLanguageModel* m_languageModel;
    std::deque<PrefixNode> m_nodes; ///< their addresses stay
    std::vector<BeamEntry> m_beam;
    std::vector<int> m_order; ///< labels of this frame, likeliest first
    std::vector<PrefixCandidate> m_candidates;
    double m_least = kLogZero; ///< no candidate below it is among the best of this frame
};

} // namespace

std::vector<CtcHypothesis> ctcPrefixSearch(MatrixView<const double> logProbabilities,
                                           const CtcSearchSettings& settings,
                                           LabelLanguageModel* languageModel,
                                           const std::atomic<bool>* cancel) {
    if (settings.beam < 1 || settings.blank < 0 ||
        static_cast<std::size_t>(settings.blank) >= std::max<std::size_t>(logProbabilities.columns(), 1))
        throw Error("decoding.settings",
                    "A CTC search needs at least one prefix, and a blank among the labels.",
                    {{"beam", settings.beam}, {"blank", settings.blank}});
    PrefixSearch search(settings, languageModel);
    for (std::size_t t = 0; t < logProbabilities.rows(); ++t) {
        if (cancel && cancel->load(std::memory_order_relaxed))
            throw models::Cancelled();
        search.frame(logProbabilities.row(t));
    }
    return search.result();
}

double ctcLogProbability(MatrixView<const double> logProbabilities, const std::vector<int>& labels,
                         int blank) {
    // α of the labels with a blank before, between and behind them.
    const std::size_t states = 2 * labels.size() + 1;
    const auto labelAt = [&](std::size_t s) { return s % 2 == 0 ? blank : labels[s / 2]; };
    std::vector<double> alpha(states, kLogZero), next(states);
    alpha[0] = 0; // before the first frame: only states 0 and 1 can follow
    for (std::size_t t = 0; t < logProbabilities.rows(); ++t) {
        for (std::size_t s = 0; s < states; ++s) {
            double sum = alpha[s];
            if (t == 0) {
                sum = s < 2 ? 0 : kLogZero;
            } else {
                if (s > 0)
                    sum = logSum(sum, alpha[s - 1]);
                if (s > 1 && s % 2 == 1 && labelAt(s) != labelAt(s - 2))
                    sum = logSum(sum, alpha[s - 2]);
            }
            next[s] = sum + logProbabilities(t, static_cast<std::size_t>(labelAt(s)));
        }
        alpha.swap(next);
    }
    return states == 1 ? alpha[0] : logSum(alpha[states - 1], alpha[states - 2]);
}

std::vector<double> ctcTokenScores(MatrixView<const double> logProbabilities, const std::vector<int>& labels,
                                   int blank) {
    const std::size_t frames = logProbabilities.rows();
    // ln P of the alignments of the prefix so far up to each frame, before which t frames lie: in its last label, in blank.
    std::vector<double> inLabel(frames + 1, kLogZero), inBlank(frames + 1, 0);
    for (std::size_t t = 0; t < frames; ++t)
        inBlank[t + 1] = inBlank[t] + logProbabilities(t, static_cast<std::size_t>(blank));
    std::vector<double> scores;
    double before = 0;
    for (std::size_t k = 0; k < labels.size(); ++k) {
        const auto label = static_cast<std::size_t>(labels[k]);
        const bool repeats = k > 0 && labels[k - 1] == labels[k];
        std::vector<double> nextLabel(frames + 1, kLogZero), nextBlank(frames + 1, kLogZero);
        double prefix = kLogZero;
        for (std::size_t t = 0; t < frames; ++t) {
            const double begins = (repeats ? inBlank[t] : logSum(inBlank[t], inLabel[t])) + logProbabilities(t, label);
            prefix = logSum(prefix, begins);
            nextLabel[t + 1] = logSum(begins, nextLabel[t] + logProbabilities(t, label));
            nextBlank[t + 1] = logSum(nextBlank[t], nextLabel[t]) + logProbabilities(t, static_cast<std::size_t>(blank));
        }
        scores.push_back(prefix == kLogZero ? kLogZero : prefix - before);
        before = prefix;
        inLabel.swap(nextLabel);
        inBlank.swap(nextBlank);
    }
    return scores;
}

namespace {

constexpr std::size_t kEndToken = 2; ///< </s>

struct TextState final : LabelLanguageModel::State {
    explicit TextState(std::shared_ptr<const models::TextScorer> scorer) : text(std::move(scorer)) {
        next.assign(text->next().begin(), text->next().end());
        next.at(0) = next.at(kEndToken);
    }
    std::shared_ptr<const models::TextScorer> text;
};

} // namespace

LabelLanguageModel::StatePointer TokenLanguageModel::start() {
    return std::make_shared<TextState>(m_start);
}

LabelLanguageModel::StatePointer TokenLanguageModel::extend(const State& state, int label) {
    return std::make_shared<TextState>(static_cast<const TextState&>(state).text->extended(label));
}

LabelLanguageModel::StatePointer BigramModel::after(int label) const {
    const auto row = m_table.row(static_cast<std::size_t>(label));
    auto state = std::make_shared<State>();
    state->next.assign(row.begin(), row.end());
    return state;
}

} // namespace headroom::training
