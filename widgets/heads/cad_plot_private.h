// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/heads/cad_plot.h"

#include <qcustomplot.h>

namespace headroom::widgets {

struct CadPlot::Private {
    struct Point {
        HeadCad head;
        double x = 0;
    };
    QCustomPlot* plot = nullptr;
    QCPItemStraightLine *line = nullptr, *at = nullptr; ///< the split; the chosen head
    QCPItemText *title = nullptr, *splitText = nullptr;
    std::vector<HeadCad> heads;
    std::vector<Point> points; ///< of `heads`, those that are drawn, from left to right
    std::optional<HeadId> selected;
    Order order = Order::Sorted;
    double split = kPhoneticBelow;
    double splitBefore = kPhoneticBelow; ///< Esc while it is dragged
    bool dragging = false, hovered = false;

    void place();
    std::vector<KeyEntry> key() const;
    const Point* find(HeadId head) const {
        for (const Point& point : points)
            if (point.head.id == head)
                return &point;
        return nullptr;
    }
};

} // namespace headroom::widgets
