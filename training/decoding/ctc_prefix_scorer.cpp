// SPDX-License-Identifier: GPL-3.0-or-later
#include "training/decoding/ctc_prefix_scorer.h"

#include "training/decoding/log_sum.h"

#include <limits>
#include <stdexcept>

namespace headroom::training {

CtcPrefixScorer::CtcPrefixScorer(const std::vector<Matrix<double>>& logProbabilities, int blank, int end)
    : m_blank(blank)
    , m_end(end) {
    for (const Matrix<double>& logs : logProbabilities) {
        if (logs.empty() || logs.columns() != logProbabilities.front().columns())
            throw std::logic_error("CtcPrefixScorer: a recording without tokens or with other labels");
        Matrix<double> probabilities = logs;
        for (double& value : probabilities.values())
            value = std::exp(value);
        m_recordings.push_back({logs, std::move(probabilities)});
    }
    for (std::size_t recording = 0; recording < m_recordings.size(); ++recording)
        m_texts.push_back(started(recording));
}

int CtcPrefixScorer::vocabulary() const {
    return static_cast<int>(m_recordings.front().logs.columns());
}

std::int64_t CtcPrefixScorer::maximumTokens() const {
    return std::numeric_limits<std::int64_t>::max();
}

CtcPrefixScorer::Text CtcPrefixScorer::started(std::size_t recording) const {
    const Matrix<double>& logs = m_recordings[recording].logs;
    Text text{recording, -1, std::vector<double>(logs.rows(), kLogZero), {}, 0, {}};
    double sum = 0;
    for (std::size_t t = 0; t < logs.rows(); ++t)
        text.blank.push_back(sum += logs(t, static_cast<std::size_t>(m_blank)));
    scoreExtensions(text);
    return text;
}

CtcPrefixScorer::Text CtcPrefixScorer::grown(const Text& text, int label) const {
    const Matrix<double>& logs = m_recordings[text.recording].logs;
    const auto column = static_cast<std::size_t>(label), blank = static_cast<std::size_t>(m_blank);
    Text next{text.recording, label, {}, {}, text.extended.at(column), {}};
    for (std::size_t t = 0; t < logs.rows(); ++t) {
        // The label starts here after the text's end, or goes on.
        double before = text.last < 0 && t == 0 ? 0 : kLogZero;
        if (t > 0)
            before = label == text.last ? text.blank[t - 1] : logSum(text.label[t - 1], text.blank[t - 1]);
        const double goesOn = t > 0 ? next.label[t - 1] : kLogZero;
        const double ended = t > 0 ? logSum(next.label[t - 1], next.blank[t - 1]) : kLogZero;
        next.label.push_back(logSum(before, goesOn) + logs(t, column));
        next.blank.push_back(ended + logs(t, blank));
    }
    scoreExtensions(next);
    return next;
}

void CtcPrefixScorer::scoreExtensions(Text& text) const {
    const Recording& recording = m_recordings[text.recording];
    const std::size_t tokens = recording.logs.rows(), labels = recording.logs.columns();
    std::vector<double> before(tokens), repeated(tokens); // ln P of the alignments that c can follow
    double largest = kLogZero;
    for (std::size_t t = 0; t < tokens; ++t) {
        before[t] = repeated[t] = text.last < 0 && t == 0 ? 0 : kLogZero;
        if (t > 0) {
            before[t] = logSum(text.label[t - 1], text.blank[t - 1]);
            repeated[t] = text.blank[t - 1];
        }
        largest = std::max(largest, before[t]);
    }
    text.extended.assign(labels, kLogZero);
    if (largest > kLogZero) { // Σ_t e^before P_t(c): a product of a row and a matrix
        std::vector<double> sums(labels, 0);
        for (std::size_t t = 0; t < tokens; ++t) {
            const double weight = std::exp(before[t] - largest);
            const auto row = recording.probabilities.row(t);
            if (weight > 0)
                for (std::size_t c = 0; c < labels; ++c)
                    sums[c] += weight * row[c];
        }
        for (std::size_t c = 0; c < labels; ++c)
            text.extended[c] = largest + std::log(sums[c]);
    }
    if (text.last >= 0) { // the same label again needs a blank between
        double sum = kLogZero;
        for (std::size_t t = 0; t < tokens; ++t)
            sum = logSum(sum, repeated[t] + recording.logs(t, static_cast<std::size_t>(text.last)));
        text.extended[static_cast<std::size_t>(text.last)] = sum;
    }
    text.extended[static_cast<std::size_t>(m_blank)] = kLogZero;
    text.extended[static_cast<std::size_t>(m_end)] = logSum(text.label.back(), text.blank.back());
}

Matrix<float> CtcPrefixScorer::extend(std::span<const std::int64_t> parents, std::span<const int> tokens) {
    std::vector<Text> next;
    Matrix<float> rows(tokens.size(), static_cast<std::size_t>(vocabulary()));
    for (std::size_t i = 0; i < tokens.size(); ++i) {
        const Text& parent = m_texts.at(static_cast<std::size_t>(parents[i]));
        next.push_back(m_isStarted ? grown(parent, tokens[i]) : parent); // the start token adds nothing
        const Text& text = next.back();
        for (std::size_t c = 0; c < text.extended.size(); ++c)
            rows(i, c) = text.prefix > kLogZero ? static_cast<float>(text.extended[c] - text.prefix)
                                                : static_cast<float>(kLogZero);
    }
    m_texts = std::move(next);
    m_isStarted = true;
    return rows;
}

} // namespace headroom::training
