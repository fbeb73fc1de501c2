// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/cut_to_recording.h"

#include <algorithm>
#include <utility>

namespace headroom::models {
namespace {

Matrix<float> firstRows(const Matrix<float>& matrix, std::size_t rows) {
    rows = std::min(rows, matrix.rows());
    const auto end = matrix.values().begin() + static_cast<std::ptrdiff_t>(rows * matrix.columns());
    return {rows, matrix.columns(), std::vector<float>(matrix.values().begin(), end)};
}

/// The first columns of every row, and the last of all if `residual`; rows divided by what is kept, whose share
/// of the whole is returned.
std::vector<float> cutColumns(Matrix<float>& matrix, std::size_t columns, bool residual) {
    const std::size_t kept = columns + (residual ? 1 : 0);
    Matrix<float> result(matrix.rows(), kept);
    std::vector<float> shares;
    for (std::size_t row = 0; row < matrix.rows(); ++row) {
        double whole = 0, part = 0;
        for (const float value : matrix.row(row))
            whole += static_cast<double>(value);
        const auto place = [&](std::size_t column) {
            return column < columns ? column : matrix.columns() - 1;
        };
        for (std::size_t column = 0; column < kept; ++column)
            part += static_cast<double>(matrix(row, place(column)));
        for (std::size_t column = 0; column < kept && part > 0; ++column)
            result(row, column) = static_cast<float>(static_cast<double>(matrix(row, place(column))) / part);
        shares.push_back(whole > 0 ? static_cast<float>(part / whole) : 0.0F);
    }
    matrix = std::move(result);
    return shares;
}

void cutMaps(std::vector<Matrix<float>>& maps, std::size_t computed, std::size_t rows, std::size_t columns) {
    for (Matrix<float>& map : maps) {
        if (map.empty())
            continue;
        map = firstRows(map, rows);
        if (map.columns() == computed) // otherwise a convolution made the keys
            cutColumns(map, columns, false);
    }
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
        block.paddingShare = cutColumns(block.contributions, columns, cross);
        for (float& share : block.paddingShare)
            share = std::max(0.0F, 1.0F - share);
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
        for (std::size_t head = 0; head < block.attention.size(); ++head)
            if (block.attention[head].columns() == columns && !block.attentionProfiles[head].empty())
                block.attentionProfiles[head] = DiagonalProfile(block.attention[head].view());
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
