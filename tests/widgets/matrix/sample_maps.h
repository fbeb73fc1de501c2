// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/matrix/max_pyramid.h"
#include "core/tensors/npy.h"
#include "tests/support/golden_folders.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

namespace headroom::testing {

/// A map with rows that sum to 1: a Gaussian ridge along the diagonal over a floor, the same on every
/// machine.
inline Matrix<float> ridge(std::size_t tokens, double width, double floor = 0.02) {
    Matrix<float> map(tokens, tokens);
    for (std::size_t row = 0; row < tokens; ++row) {
        double sum = 0;
        std::vector<double> values(tokens);
        for (std::size_t column = 0; column < tokens; ++column) {
            const double offset = static_cast<double>(column) - static_cast<double>(row);
            const double texture = 1 + 0.5 * std::sin(0.7 * static_cast<double>(column)) *
                                           std::cos(0.2 * static_cast<double>(row));
            values[column] = std::exp(-0.5 * offset * offset / (width * width)) * texture + floor * texture;
            if (row == column)
                values[column] += 2;
            sum += values[column];
        }
        for (std::size_t column = 0; column < tokens; ++column)
            map(row, column) = static_cast<float>(values[column] / sum);
    }
    return map;
}

inline std::shared_ptr<const MaxPyramid> pyramidOf(Matrix<float> map) {
    return std::make_shared<MaxPyramid>(std::move(map));
}

/// Contribution maps of a trained model on one utterance, one per layer.
inline std::vector<Matrix<float>> realMaps() {
    const auto tensor = readNpy(repositoryGoldens() / "s2t-reference" / "utterance.contributions.npy");
    const auto values = toFloats(tensor.view());
    const auto layers = static_cast<std::size_t>(tensor.shape[0]);
    const auto tokens = static_cast<std::size_t>(tensor.shape[1]);
    std::vector<Matrix<float>> maps;
    for (std::size_t layer = 0; layer < layers; ++layer) {
        const auto* first = values.data() + layer * tokens * tokens;
        maps.emplace_back(tokens, tokens, std::vector<float>(first, first + tokens * tokens));
    }
    return maps;
}

} // namespace headroom::testing
