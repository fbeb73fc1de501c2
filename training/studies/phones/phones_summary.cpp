// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/statistics/undefined.h"
#include "training/studies/phones/phones_summary.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace headroom::training {

namespace {

std::size_t whole(std::int64_t value) {
    return static_cast<std::size_t>(value);
}

/// Coverage ends at 1, and noisier maps cover less: its draws lie below it.
Interval95 around(double coverage, const std::vector<double>& draws) {
    Interval95 range = spreadAround(coverage, draws);
    range.high = std::min(range.high, 1.0);
    return range;
}

/// What a cell of an utterance weighs.
double weightOf(PhoneMode mode, const PhoneMeasurement& found, std::size_t p, std::size_t q) {
    if (mode == PhoneMode::Mean)
        return 1;
    return p == q ? found.partnered()[p] : static_cast<double>(found.tokens()[p]) * found.tokens()[q];
}

} // namespace

PhoneSummary::PhoneSummary(const StudyModel& model, PhoneMode mode, std::size_t utterances,
                           std::int64_t places)
    : m_model(model)
    , m_mode(mode)
    , m_layers(model.layers)
    , m_heads(model.heads)
    , m_means(whole(m_layers * m_heads))
    , m_counts(kPhones, kPhones)
    , m_samePhone(whole(m_layers * m_heads) * utterances, kUndefined)
    , m_present(utterances)
    , m_utteranceLayers(utterances)
    , m_places({m_layers, m_heads, static_cast<std::int64_t>(kPhones), static_cast<std::int64_t>(kPhones)},
               places) {}

void PhoneSummary::add(int utterance, const Measurement& measurement) {
    const PhoneMeasurement found(measurement);
    if (found.layers() != m_layers || found.heads() != m_heads)
        throw Error("study.value", "A measurement of " + m_model.name + " has different layers or heads.");
    const auto at = static_cast<std::size_t>(utterance);
    m_present[at] = true;
    const std::vector<int>& classes = found.classes();
    for (std::size_t c = 0; c < classes.size(); ++c) {
        m_tokens[whole(classes[c])] += found.tokens()[c];
        ++m_utterances[whole(classes[c])];
    }

    UtteranceLayers& kept = m_utteranceLayers[at];
    kept.classes = classes;
    const std::size_t cells = classes.size() * classes.size();
    kept.par.assign(whole(m_layers) * cells, std::numeric_limits<float>::quiet_NaN());
    const auto seconds = [clock = m_model.clock()](std::int64_t token) { return clock.cellCentre(Tokens(token)).value(); };
    for (std::size_t p = 0; p < classes.size(); ++p)
        for (std::size_t q = 0; q < classes.size(); ++q) {
            const std::size_t row = whole(classes[p]), column = whole(classes[q]);
            const double weight = weightOf(m_mode, found, p, q);
            kept.weights.push_back(static_cast<float>(weight));
            bool anywhere = false;
            for (std::int64_t l = 0; l < m_layers; ++l) {
                double sum = 0;
                int heads = 0;
                for (std::int64_t h = 0; h < m_heads; ++h) {
                    const auto value = static_cast<double>(found.par(l, h, p, q));
                    if (std::isnan(value))
                        continue;
                    sum += value;
                    ++heads;
                    m_means[whole(l * m_heads + h)].add(row, column, value, weight);
                    if (m_places.most() == 0)
                        continue;
                    const StrongestPair pair = found.pair(l, h, p, q);
                    const std::array<std::int64_t, 4> index{l, h, classes[p], classes[q]};
                    m_places.offer(index, {utterance, seconds(pair.query), seconds(pair.key),
                                           static_cast<double>(pair.value)});
                }
                if (heads == 0)
                    continue;
                anywhere = true;
                kept.par[whole(l) * cells + p * classes.size() + q] = static_cast<float>(sum / heads);
            }
            m_counts(row, column) += anywhere ? 1 : 0;
        }
    for (std::int64_t l = 0; l < m_layers; ++l)
        for (std::int64_t h = 0; h < m_heads; ++h)
            m_samePhone[whole(l * m_heads + h) * m_present.size() + at] = found.samePhone(l, h);
}

Matrix<double> PhoneSummary::head(std::int64_t layer, std::int64_t head) const {
    return m_means[whole(layer * m_heads + head)].mean();
}

Matrix<double> PhoneSummary::layersTogether(std::int64_t first, std::int64_t last) const {
    PhoneAttentionMean mean;
    for (std::int64_t l = first; l <= last; ++l)
        for (std::int64_t h = 0; h < m_heads; ++h)
            mean.add(head(l, h));
    return mean.mean();
}

std::vector<double> PhoneSummary::samePhone(std::int64_t layer, std::int64_t head) const {
    const auto first =
        m_samePhone.begin() + static_cast<std::ptrdiff_t>(whole(layer * m_heads + head) * m_present.size());
    return {first, first + static_cast<std::ptrdiff_t>(m_present.size())};
}

std::vector<double> PhoneSummary::samePhoneOfLayers(std::int64_t first, std::int64_t last) const {
    std::vector<double> means(m_present.size(), kUndefined);
    for (std::size_t u = 0; u < means.size(); ++u) {
        double sum = 0;
        int defined = 0;
        for (std::int64_t head = first * m_heads; head < (last + 1) * m_heads; ++head) {
            const double value = m_samePhone[whole(head) * m_present.size() + u];
            if (std::isnan(value))
                continue;
            sum += value;
            ++defined;
        }
        if (defined > 0)
            means[u] = sum / defined;
    }
    return means;
}

std::vector<Matrix<double>> PhoneSummary::drawnLayers(const std::vector<int>& counts) const {
    std::vector<PhoneAttentionMean> means(whole(m_layers));
    for (std::size_t u = 0; u < counts.size(); ++u) {
        if (counts[u] == 0)
            continue;
        const UtteranceLayers& own = m_utteranceLayers[u];
        const std::size_t classes = own.classes.size();
        for (std::size_t l = 0; l < means.size(); ++l)
            for (std::size_t p = 0; p < classes; ++p)
                for (std::size_t q = 0; q < classes; ++q)
                    means[l].add(whole(own.classes[p]), whole(own.classes[q]),
                                 static_cast<double>(own.par[(l * classes + p) * classes + q]),
                                 counts[u] * static_cast<double>(own.weights[p * classes + q]));
    }
    std::vector<Matrix<double>> layers;
    for (const PhoneAttentionMean& mean : means)
        layers.push_back(mean.mean());
    return layers;
}

PhoneSummary::Coverage PhoneSummary::coverage(const Matrix<double>& reference, int largest,
                                              const std::vector<std::vector<int>>& resampled) const {
    Coverage result;
    std::vector<Matrix<double>> layers;
    for (std::int64_t l = 0; l < m_layers; ++l)
        layers.push_back(layer(l));
    for (const Matrix<double>& map : layers)
        result.own.push_back(phoneAttentionCoverage(map, reference, largest));
    result.accumulated = accumulatedCoverage(layers, reference, largest);

    std::vector<std::vector<double>> own(layers.size()), accumulated(layers.size());
    for (const std::vector<int>& counts : resampled) {
        const std::vector<Matrix<double>> drawn = drawnLayers(counts);
        const std::vector<double> together = accumulatedCoverage(drawn, reference, largest);
        for (std::size_t l = 0; l < layers.size(); ++l) {
            own[l].push_back(phoneAttentionCoverage(drawn[l], reference, largest));
            accumulated[l].push_back(together[l]);
        }
    }
    for (std::size_t l = 0; l < layers.size(); ++l) {
        result.ownInterval.push_back(around(result.own[l], own[l]));
        result.accumulatedInterval.push_back(around(result.accumulated[l], accumulated[l]));
    }
    return result;
}

} // namespace headroom::training
