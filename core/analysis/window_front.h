// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace headroom {

/// What the choices of one layer cost and lose: its windows, and the layer as it is.
struct WindowChoices {
    std::vector<double> cost; ///< of each choice, any unit that adds up over layers
    std::vector<double> loss; ///< of each choice, the same length; CL of the window, 0 for the layer as it is
};

/// One point of the front: a choice for every layer.
struct WindowFrontPoint {
    std::vector<std::size_t> choices; ///< [L], into WindowChoices
    double cost = 0, loss = 0;        ///< sums over layers
};

/// Returns choices of windows that no other choice beats: at the cost of each point, no choice of windows
/// loses less. The points are those of the lower convex hull of all choices, the costliest (smallest loss)
/// first: each step takes the layer that saves the most cost per loss. Between two points there may be
/// choices that are on the front but not on its hull.
///
/// O(C log C) for C choices in all. Throws std::invalid_argument if a layer has no choice, lists of different
/// length, or a number that is not finite.
std::vector<WindowFrontPoint> windowFront(std::span<const WindowChoices> layers);

} // namespace headroom
