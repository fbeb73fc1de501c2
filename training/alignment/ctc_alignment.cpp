// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/alignment/ctc_alignment.h"

#include <cstdint>
#include <limits>
#include <stdexcept>

namespace headroom::training {

namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();

/// States 2i: the blank before label i (at last the one behind them); 2i + 1: label i.
class States {
public:
    States(std::span<const int> labels, const CtcTopology& topology)
        : m_labels(labels)
        , m_topology(topology) {}

    std::size_t count() const { return 2 * m_labels.size() + 1; }
    static bool isLabel(std::size_t state) { return state % 2 == 1; }
    std::size_t column(std::size_t state) const {
        return static_cast<std::size_t>(isLabel(state) ? m_labels[state / 2] : m_topology.blank);
    }
    bool allowed(std::size_t state) const {
        return isLabel(state) || m_topology.blankAllowed.empty() || m_topology.blankAllowed[state / 2];
    }
    /// Whether a label may follow the one before it at once.
    bool maySkip(std::size_t state) const {
        return isLabel(state) && state >= 3 &&
               (!m_topology.blankBetweenEqual || column(state) != column(state - 2));
    }

private:
    std::span<const int> m_labels;
    const CtcTopology& m_topology;
};

void check(MatrixView<const float> scores, std::span<const int> labels, const CtcTopology& topology) {
    const auto inside = [&](int label) {
        return label >= 0 && static_cast<std::size_t>(label) < scores.columns();
    };
    for (const int label : labels)
        if (!inside(label))
            throw std::invalid_argument("alignCtc: label");
    if (!inside(topology.blank) && !scores.empty())
        throw std::invalid_argument("alignCtc: blank");
    if (!topology.blankAllowed.empty() && topology.blankAllowed.size() != labels.size() + 1)
        throw std::invalid_argument("alignCtc: blankAllowed");
}

} // namespace

std::optional<CtcAlignment> alignCtc(MatrixView<const float> scores, std::span<const int> labels,
                                     const CtcTopology& topology) {
    const std::size_t tokens = scores.rows();
    if (tokens == 0)
        return labels.empty() ? std::optional<CtcAlignment>(CtcAlignment{}) : std::nullopt;
    check(scores, labels, topology);
    if (labels.size() > tokens)
        return std::nullopt;
    const States states(labels, topology);
    const std::size_t count = states.count();

    std::vector<double> best(count, kImpossible), next(count);
    Matrix<std::uint8_t> steps(tokens, count); // by how many states the path went on to be here
    for (std::size_t state = 0; state < std::min<std::size_t>(2, count); ++state)
        if (states.allowed(state))
            best[state] = scores(0, states.column(state));
    for (std::size_t token = 1; token < tokens; ++token) {
        for (std::size_t state = 0; state < count; ++state) {
            double from = best[state];
            std::uint8_t step = 0;
            if (state >= 1 && best[state - 1] > from) {
                from = best[state - 1];
                step = 1;
            }
            if (states.maySkip(state) && best[state - 2] > from) {
                from = best[state - 2];
                step = 2;
            }
            next[state] = states.allowed(state) ? from + scores(token, states.column(state)) : kImpossible;
            steps(token, state) = step;
        }
        best.swap(next);
    }

    std::size_t state = count - 1;
    if (count > 1 && best[count - 2] > best[count - 1])
        state = count - 2;
    if (best[state] == kImpossible)
        return std::nullopt;
    CtcAlignment result{std::vector<TokenSpan>(labels.size()), best[state]};
    for (std::size_t token = tokens; token-- > 0;) {
        if (States::isLabel(state)) {
            auto& span = result.labels[state / 2];
            span.first = token;
            if (span.last == 0)
                span.last = token + 1;
        }
        state -= steps(token, state);
    }
    return result;
}

} // namespace headroom::training
