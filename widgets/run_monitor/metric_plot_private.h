// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/run_monitor/curve_math.h"
#include "widgets/run_monitor/cursor_overlay.h"
#include "widgets/run_monitor/metric_plot.h"

#include <qcustomplot.h>

#include <algorithm>
#include <cmath>
#include <iterator>

namespace headroom::widgets {

struct MetricPlot::Private {
    struct Prepared {
        QString name; ///< of the experiment
        Curve line;
        std::vector<double> deviation; ///< empty: none
        int style = 0;
        std::vector<int> count = {}; ///< of a mean: how many seeds have a value at each point; empty: a line of one run
        std::vector<int> part = {};  ///< as in CurveBand
        int seeds = 1;               ///< that have any
        void dropLoneLead(); ///< of a mean
        bool isOfFewer(std::size_t point) const { return point < count.size() && count[point] < seeds; }
    };

    Metric metric;
    QCustomPlot* plot = nullptr;
    CursorOverlay* overlay = nullptr;
    QCPItemText *title = nullptr, *hint = nullptr;
    std::vector<ComparedRuns> runs;
    CurveReading reading;
    QString emptySentence = MetricPlot::tr("Tick runs below");
    std::vector<Prepared> prepared; ///< as drawn
    std::optional<double> cursor;
    std::optional<std::pair<double, double>> span;
    double first = 0, last = 1;
    std::optional<double> dragFrom;
    int drawn = 0;

    Curve curveOf(const RunCurves& run) const; ///< as logged; empty: nothing of this metric
    std::vector<Prepared> linesWith(double smoothing) const;

    bool goesOn() const { return std::ranges::any_of(runs, &ComparedRuns::goesOn); }
    /// The measured place nearest to the pointer, in any of the runs: nobody can point at a step exactly.
    double shownCursor() const {
        if (!cursor)
            return last;
        std::optional<double> nearest;
        for (const Prepared& one : prepared) {
            const auto right = std::lower_bound(one.line.x.begin(), one.line.x.end(), *cursor);
            for (const auto at : {right, right == one.line.x.begin() ? right : std::prev(right)})
                if (at != one.line.x.end() && (!nearest || std::abs(*at - *cursor) < std::abs(*nearest - *cursor)))
                    nearest = *at;
        }
        return nearest.value_or(*cursor);
    }
    /// All measured places of all curves, ascending, each once.
    std::vector<double> places() const {
        std::vector<double> all;
        for (const Prepared& one : prepared)
            all.insert(all.end(), one.line.x.begin(), one.line.x.end());
        std::sort(all.begin(), all.end());
        all.erase(std::unique(all.begin(), all.end()), all.end());
        return all;
    }
    /// The point that the read-out shows; a run that is still on its way shows its last one.
    std::optional<std::size_t> pointOf(const Prepared& one) const {
        return cursor || one.line.empty() ? pointAt(one.line, shownCursor()) : std::optional(one.line.x.size() - 1);
    }
    /// Where the values that the read-out shows were measured, if that is one place for all of them.
    std::optional<double> measuredAt() const {
        std::optional<double> at;
        for (const Prepared& one : prepared)
            if (const auto point = pointOf(one)) {
                if (at && *at != one.line.x[*point])
                    return std::nullopt;
                at = one.line.x[*point];
            }
        return at;
    }
};

} // namespace headroom::widgets
