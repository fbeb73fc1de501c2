// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/diagonality.h"
#include "tests/widgets/matrix/sample_maps.h"
#include "widgets/curves/windows_table.h"

#include <vector>

namespace headroom::testing {

inline DiagonalProfile profileOf(double width, std::size_t tokens = 80) {
    return DiagonalProfile(ridge(tokens, width).view());
}

/// Three layers over two utterances.
inline std::vector<widgets::WindowsRow> someRows() {
    std::vector<widgets::WindowsRow> rows;
    for (const double width : {9.0, 2.0, 5.0}) {
        const std::vector<DiagonalProfile> profiles{profileOf(width), profileOf(width, 60)};
        rows.push_back(widgets::windowsRow(profiles));
        rows.back().profile = profiles[0];
    }
    return rows;
}

} // namespace headroom::testing
