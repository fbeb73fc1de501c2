// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/contributions/cut_to_recording.h"

#include "models/kernels/pieces.h"

#include <ATen/core/Tensor.h>

#include <algorithm>
#include <utility>

namespace headroom::models {
namespace {

/// The first rows and columns of a matrix, and its last column if `residual`; each row is divided by what is kept, and a
/// row of which nothing is kept stays zero. `shares`: receives what of each row is left out, if not null.
Matrix<float> ownPart(const Matrix<float>& matrix, std::int64_t rows, std::int64_t columns, bool residual,
                      std::vector<float>* shares) {
    const auto own = static_cast<std::size_t>(columns), kept = own + (residual ? 1 : 0);
    Matrix<float> result(std::min(static_cast<std::size_t>(rows), matrix.rows()), kept);
    if (shares)
        shares->resize(result.rows());
    onThreads(static_cast<std::int64_t>(result.rows()), 16, [&](std::int64_t first, std::int64_t end) {
        for (auto row = static_cast<std::size_t>(first); row < static_cast<std::size_t>(end); ++row) {
            const auto from = matrix.row(row);
            const auto to = result.row(row);
            const std::size_t keys = from.size() - (residual ? 1 : 0);
            double part = residual ? static_cast<double>(from.back()) : 0;
            for (std::size_t column = 0; column < own; ++column)
                part += static_cast<double>(from[column]);
            if (shares) {
                double whole = part;
                for (std::size_t column = own; column < keys; ++column)
                    whole += static_cast<double>(from[column]);
                (*shares)[row] = whole > 0 ? std::max(0.0F, 1.0F - static_cast<float>(part / whole)) : 1.0F;
            }
            if (!(part > 0))
                continue;
            for (std::size_t column = 0; column < own; ++column)
                to[column] = static_cast<float>(static_cast<double>(from[column]) / part);
            if (residual)
                to[own] = static_cast<float>(static_cast<double>(from.back()) / part);
        }
    });
    return result;
}

} // namespace

void cutContributions(LayerAnalysis& block, std::int64_t rows, std::int64_t columns, bool residual) {
    block.contributions = ownPart(block.contributions, rows, columns, residual, &block.paddingShare);
    if (!residual)
        block.contributionProfile = DiagonalProfile(block.contributions.view());
}

at::Tensor cutMaps(const at::Tensor& maps, std::int64_t rows, std::int64_t columns) {
    const at::Tensor own = maps.narrow(1, 0, rows).narrow(2, 0, columns);
    const at::Tensor sums = own.sum(-1, true);
    return own.div(sums.masked_fill(sums.le(0), 1));
}

void cutMixing(LayerAnalysis& block, std::int64_t tokens, std::int64_t computed) {
    const auto all = static_cast<std::size_t>(computed);
    for (MixingMap& mixing : block.mixing)
        if (mixing.map.rows() == all && mixing.map.columns() == all)
            mixing.map = ownPart(mixing.map, tokens, tokens, false, nullptr);
}

} // namespace headroom::models
