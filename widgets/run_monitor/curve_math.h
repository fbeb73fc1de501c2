// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/runs/events.h"

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace headroom::widgets {

// Processing of a run's points before they are drawn. Pure; any thread; O(points).

/// x ascending, y of the same length. NaN in y is a gap.
struct Curve {
    std::vector<double> x, y;
    bool empty() const { return x.empty(); }
    bool operator==(const Curve&) const = default;
};

/// The horizontal axis of a curve.
enum class CurveAxis {
    Updates, ///< optimiser steps
    Hours,   ///< of training, since the run began; pauses, and the time between stop and resume, do not count
};

/// `firstTime`: 0 hours.
Curve toCurve(std::span<const RunCurves::Point> points, CurveAxis axis, double firstTime);

/// Exponential moving average, corrected for its start (as in TensorBoard): s = w s + (1 − w) y, divided by 1
/// − wⁿ. `weight` 0 … 0.999; 0 changes nothing. Gaps stay gaps and do not count.
Curve smoothed(const Curve& curve, double weight);

/// Returns at most four points for each of `columns` equal parts of [from, to]: first, lowest, highest, last,
/// which look the same at that width in pixels. Keeps the neighbours just outside the range, so that lines
/// reach the edges.
Curve decimated(const Curve& curve, double from, double to, int columns);

/// Mean and sample standard deviation (n − 1) over curves, at every x that one of them has. A curve is
/// interpolated linearly between its points and does not count outside them. `deviation` is NaN if fewer than
/// two count.
struct CurveBand {
    Curve mean;
    std::vector<double> deviation;
    std::vector<int> count;
    std::vector<int> part; ///< another number wherever other curves count than at the point before
};
CurveBand meanAndDeviation(std::span<const Curve> curves);

/// The points of `line` at which `least` to `most` curves count, interrupted where another part begins: what is left of a mean when one
/// curve has ended is no continuation of it.
Curve whereCounted(const Curve& line, std::span<const int> count, std::span<const int> part, int least, int most);

/// The number of points at the beginning of a band before all `most` curves count, if no two of them make a line: each is alone in its
/// part. Else 0.
std::size_t loneLead(std::span<const int> count, std::span<const int> part, int most);

/// The last point at or before x: what had been measured by then. nullopt outside the curve.
std::optional<std::size_t> pointAt(const Curve& curve, double x);

} // namespace headroom::widgets
