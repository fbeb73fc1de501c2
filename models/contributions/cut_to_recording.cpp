// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/cut_to_recording.h"

#include <ATen/Parallel.h>

#include <algorithm>
#include <utility>

namespace headroom::models {
namespace {

Matrix<float> firstRows(const Matrix<float>& matrix, std::size_t rows) {
    rows = std::min(rows, matrix.rows());
    const auto end = matrix.values().begin() + static_cast<std::ptrdiff_t>(rows * matrix.columns());
    return {rows, matrix.columns(), std::vector<float>(matrix.values().begin(), end)};
}

/// Keeps the first columns of every row, and the last of all if `residual`; rows are divided by what is kept.
void cutColumns(Matrix<float>& matrix, std::size_t columns, bool residual) {
    const std::size_t kept = columns + (residual ? 1 : 0);
    Matrix<float> result(matrix.rows(), kept);
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
        const auto from = matrix.row(row).first(columns);
        const auto to = result.row(row);
        double part = residual ? static_cast<double>(matrix.row(row).back()) : 0;
        for (const float value : from)
            part += static_cast<double>(value);
        if (!(part > 0))
            continue;
        for (std::size_t column = 0; column < columns; ++column)
            to[column] = static_cast<float>(static_cast<double>(from[column]) / part);
        if (residual)
            to[columns] = static_cast<float>(static_cast<double>(matrix.row(row).back()) / part);
    }
    matrix = std::move(result);
}

/// What of each row lies behind the first columns, but for the last of all if `residual`.
std::vector<float> sharesBehind(const Matrix<float>& matrix, std::size_t columns, bool residual) {
    std::vector<float> shares;
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
        const auto values = matrix.row(row);
        double own = residual ? static_cast<double>(values.back()) : 0, whole = own;
        for (std::size_t column = 0; column < values.size() - (residual ? 1 : 0); ++column) {
            whole += static_cast<double>(values[column]);
            if (column + 1 == columns)
                own = whole;
        }
        shares.push_back(whole > 0 ? std::max(0.0F, 1.0F - static_cast<float>(own / whole)) : 1.0F);
    }
    return shares;
}

void cutMaps(std::vector<Matrix<float>>& maps, std::size_t computed, std::size_t rows, std::size_t columns) {
    at::parallel_for(0, static_cast<std::int64_t>(maps.size()), 1, [&](std::int64_t first, std::int64_t end) {
        for (std::int64_t head = first; head < end; ++head) {
            Matrix<float>& map = maps[static_cast<std::size_t>(head)];
            if (map.empty())
                continue;
            map = firstRows(map, rows);
            if (map.columns() == computed) // otherwise a convolution made the keys
                cutColumns(map, columns, false);
        }
    });
}

} // namespace

AnalysisOptions beforeCutting(AnalysisOptions options) {
    options.keepAttention = options.keepContributions = true;
    return options;
}

void cutToRecording(LayerAnalysis& block, std::int64_t tokens, std::int64_t computedTokens, bool cross, const AnalysisOptions& wanted) {
    const auto columns = static_cast<std::size_t>(tokens);
    const auto rows = static_cast<std::size_t>(cross ? block.queries : tokens);
    const auto computed = static_cast<std::size_t>(computedTokens);
    if (!block.contributions.empty()) {
        block.contributions = firstRows(block.contributions, rows);
        block.paddingShare = sharesBehind(block.contributions, columns, cross);
        cutColumns(block.contributions, columns, cross);
        if (!cross)
            block.contributionProfile = DiagonalProfile(block.contributions.view());
    }
    cutMaps(block.attention, computed, rows, columns);
    cutMaps(block.rawAttention, computed, rows, columns);
    for (MixingMap& mixing : block.mixing)
        if (mixing.map.rows() == computed && mixing.map.columns() == computed) {
            mixing.map = firstRows(mixing.map, rows);
            cutColumns(mixing.map, columns, false);
        }
    if (!cross) {
        block.queries = tokens;
        at::parallel_for(0, static_cast<std::int64_t>(block.attention.size()), 1,
                         [&](std::int64_t first, std::int64_t end) {
                             for (auto head = static_cast<std::size_t>(first); head < static_cast<std::size_t>(end); ++head)
                                 if (block.attention[head].columns() == columns &&
                                     !block.attentionProfiles[head].empty())
                                     block.attentionProfiles[head] = DiagonalProfile(block.attention[head].view());
                         });
    }
    block.headRelevance = firstRows(block.headRelevance, rows);
    if (!wanted.keepAttention) {
        block.attention.clear();
        block.rawAttention.clear();
    }
    if (!wanted.keepContributions)
        block.contributions = {};
}

} // namespace headroom::models
