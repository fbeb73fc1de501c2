// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/attention_statistics.h"

#include "core/analysis/diagonality.h"
#include "core/statistics/undefined.h"

#include <algorithm>
#include <cmath>
#include <stdexcept>

namespace headroom {

namespace {

/// Row by row of an utterance's norms, shares of the row's sum, appended to each head's column.
void appendShares(const Matrix<float>& norms, std::vector<std::vector<double>>& columns) {
    for (std::size_t token = 0; token < norms.rows(); ++token) {
        double total = 0;
        for (const float norm : norms.row(token))
            total += static_cast<double>(norm);
        if (!(total > 0))
            continue;
        for (std::size_t head = 0; head < columns.size(); ++head)
            columns[head].push_back(static_cast<double>(norms(token, head)) / total);
    }
}

std::vector<double> medians(std::vector<std::vector<double>>& columns) {
    std::vector<double> result;
    for (auto& column : columns)
        result.push_back(lowerMedian(column));
    return result;
}

} // namespace

AttentionStatistics attentionStatistics(MatrixView<const float> map, std::span<const bool> silent) {
    if (!silent.empty() && silent.size() != map.columns())
        throw std::invalid_argument("What is silent is said once per key.");
    AttentionStatistics sum;
    double rows = 0;
    for (std::size_t i = 0; i < map.rows() && map.columns() > 0; ++i) {
        AttentionStatistics row;
        for (std::size_t j = 0; j < map.columns(); ++j) {
            const auto weight = static_cast<double>(map(i, j));
            if (weight > 0)
                row.entropy -= weight * std::log(weight);
            row.meanDistance += weight * static_cast<double>(i > j ? i - j : j - i);
            row.maximum = std::max(row.maximum, weight);
            if (!silent.empty() && silent[j])
                row.onSilence += weight;
        }
        if (std::isnan(row.meanDistance)) // a sum over every key: NaN where one is
            continue;
        sum.entropy += row.entropy;
        sum.meanDistance += row.meanDistance;
        sum.maximum += row.maximum;
        sum.onSilence += row.onSilence;
        rows += 1;
    }
    if (rows == 0)
        return {kUndefined, kUndefined, kUndefined, kUndefined};
    const bool square = map.rows() == map.columns();
    return {sum.entropy / rows, square ? sum.meanDistance / rows : kUndefined, sum.maximum / rows,
            silent.empty() ? kUndefined : sum.onSilence / rows};
}

std::vector<double> attentionDiagonalityCurve(const DiagonalProfile& profile, int nodes) {
    if (nodes < 2)
        throw std::invalid_argument("A curve from r = 0 to r = 1 has at least two nodes.");
    if (profile.empty())
        return std::vector<double>(static_cast<std::size_t>(nodes), kUndefined);
    const auto shares = cumulativeDiagonality(profile); // D(w) at w − 1
    std::vector<double> curve;
    for (std::int64_t node = 0; node < nodes; ++node) {
        const std::int64_t half = node * (profile.size() - 1) / (nodes - 1); // ⌊r(N − 1)⌋, exact
        curve.push_back(shares[static_cast<std::size_t>(std::max<std::int64_t>(2 * half - 1, 0))]);
    }
    return curve;
}

double lowerMedian(std::span<double> values) {
    if (values.empty())
        return kUndefined;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>((values.size() - 1) / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

std::vector<double> headRelevance(std::span<const Matrix<float>> utterances, RelevanceMode mode) {
    std::size_t heads = 0;
    for (const auto& norms : utterances) {
        if (norms.rows() == 0)
            continue;
        if (heads != 0 && norms.columns() != heads)
            throw std::invalid_argument("Head relevance is that of one layer: as many heads everywhere.");
        heads = norms.columns();
    }
    std::vector<std::vector<double>> pooled(heads), perUtterance(heads);
    for (const auto& norms : utterances) {
        if (mode == RelevanceMode::Notebook)
            pooled.assign(heads, {});
        appendShares(norms, pooled);
        if (mode != RelevanceMode::Notebook || heads == 0 || pooled.front().empty())
            continue;
        const auto ofUtterance = medians(pooled);
        for (std::size_t head = 0; head < heads; ++head)
            perUtterance[head].push_back(ofUtterance[head]);
    }
    return medians(mode == RelevanceMode::Notebook ? perUtterance : pooled);
}

} // namespace headroom
