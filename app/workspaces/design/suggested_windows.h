// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/windows.h"
#include "core/architecture/head_grid.h"
#include "core/matrix/diagonal_profile.h"

#include <QString>

#include <optional>
#include <span>
#include <vector>

namespace headroom::app {

/// Above this CL a layer stays full. It separates all 36 published rows as the paper did (Alastruey et al.
/// 2022, Tables 1, 3 and 4: the highest CL of a local layer is below it, the lowest of a full one above).

/// What Algorithm 1 says about one layer.
struct WindowSuggestion {
    int window = 1;  ///< odd
    double loss = 0; ///< CL of that window, mean over the utterances
    int utterances = 0;
    bool staysFull(double fullAbove = kFullAboveLoss) const { return loss > fullAbove; }
};
/// From one layer's profiles of several utterances; empty ones are left out. Nothing where none remains.
std::optional<WindowSuggestion> suggestionFor(std::span<const DiagonalProfile> utterances);

/// The text that a layer's heads get: local ones and full ones have the suggested window, or are full where
/// that would lose too much; other kinds stay.
QString suggestedHeads(const std::vector<HeadGroup>& heads, const WindowSuggestion& suggestion,
                       double fullAbove);

} // namespace headroom::app
