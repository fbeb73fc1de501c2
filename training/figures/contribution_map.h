// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "training/figures/heat_map.h"

#include <optional>
#include <vector>

namespace headroom::figures {

/// A map of contributions or attention to draw: [N, N] by token.
struct ContributionMap {
    Matrix<double> values;            ///< [N, N]
    std::vector<double> tokenSeconds; ///< [N]
    std::optional<int> window;        ///< its band is drawn
    std::string title;
};

/// Returns the values without the main diagonal, which would flatten the rest; it becomes NaN.
Matrix<double> withoutDiagonal(const Matrix<double>& values);
/// magma from 0 to the 99th percentile off the diagonal of all maps together, gamma 0.5.
ColourScale contributionScale(const std::vector<const Matrix<double>*>& maps,
                              const std::string& title = "C_{ij}");

struct MapAxes {
    bool time = true, query = true; ///< labels below and on the left
    int ticks = 5;
};
/// Map, band and axes in seconds. Queries downwards, keys to the right.
void drawContributionMap(Scene& scene, const Box& frame, const ContributionMap& map, const ColourScale& scale,
                         const MapAxes& axes = {});

} // namespace headroom::figures
