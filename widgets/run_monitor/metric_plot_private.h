// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/run_monitor/curve_math.h"
#include "widgets/run_monitor/cursor_overlay.h"
#include "widgets/run_monitor/metric_plot.h"

#include <qcustomplot.h>

namespace headroom::widgets {

struct MetricPlot::Private {
    struct Prepared {
        Curve line;
        std::vector<double> deviation; ///< empty: none
        int style = 0;
    };

    Metric metric;
    QCustomPlot* plot = nullptr;
    CursorOverlay* overlay = nullptr;
    QCPItemText *title = nullptr, *hint = nullptr;
    std::vector<ComparedRuns> runs;
    CurveReading reading;
    std::vector<QString> names; ///< of the experiments of `prepared`
    std::vector<Prepared> prepared;
    std::optional<double> cursor;
    std::optional<std::pair<double, double>> span;
    double first = 0, last = 1;
    std::optional<double> dragFrom;
    int drawn = 0;

    double shownCursor() const { return cursor.value_or(last); }
    /// The point that the read-out shows; a run that is still on its way shows its last one.
    std::optional<std::size_t> pointOf(const Prepared& one) const {
        return cursor || one.line.empty() ? pointAt(one.line, shownCursor()) : std::optional(one.line.x.size() - 1);
    }
    /// Where the values that the read-out shows were measured, if that is one place for all of them; else x.
    double measuredAt(double x) const {
        std::optional<double> at;
        for (const Prepared& one : prepared)
            if (const auto point = pointOf(one)) {
                if (at && *at != one.line.x[*point])
                    return x;
                at = one.line.x[*point];
            }
        return at.value_or(x);
    }
};

} // namespace headroom::widgets
