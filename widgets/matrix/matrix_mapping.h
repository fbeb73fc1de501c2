// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/time/clocks.h"
#include "widgets/time_axis/time_axis.h"

#include <QRectF>

namespace headroom::widgets {

/// Maps a self-attention matrix to the screen: keys to the right, queries downwards, both in time.
///
/// The cell of token t covers its clock's centre ± half a step in each direction, or its band's share of that; the cells need not divide
/// the picture evenly. Logical pixels. A value.
struct MatrixMapping {
    QRectF plot;
    TimeSpan keys{Seconds(0), Seconds(0)};    ///< visible, left to right
    TimeSpan queries{Seconds(0), Seconds(0)}; ///< visible, top to bottom
    TokenClock clock;
    std::int64_t tokens = 0; ///< N
    AxisUnit unit = AxisUnit::Seconds;

    bool empty() const {
        return tokens <= 0 || plot.isEmpty() || keys.length().value() <= 0 || queries.length().value() <= 0;
    }
    double xOf(Seconds key) const {
        return plot.left() + (key - keys.start).value() / keys.length().value() * plot.width();
    }
    double yOf(Seconds query) const {
        return plot.top() + (query - queries.start).value() / queries.length().value() * plot.height();
    }
    Seconds keyAt(double x) const { return keys.start + keys.length() * ((x - plot.left()) / plot.width()); }
    Seconds queryAt(double y) const {
        return queries.start + queries.length() * ((y - plot.top()) / plot.height());
    }
    /// Pixels of one token in each direction.
    double tokenWidth() const { return clock.cellStep().value() / keys.length().value() * plot.width(); }
    double tokenHeight() const { return clock.cellStep().value() / queries.length().value() * plot.height(); }
    /// Returns the edge at a (possibly fractional) index: edge 0 is where the cell of token 0 starts.
    Seconds edge(double index) const { return clock.cellStart(Tokens(0)) + clock.cellStep() * index; }
    /// Inverse of edge(): the fractional token index at a time; token t covers [t, t + 1).
    double indexAt(Seconds time) const {
        return (time - clock.cellStart(Tokens(0))).value() / clock.cellStep().value();
    }
};

} // namespace headroom::widgets
